package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import io.penstock.Index;
import io.penstock.Penstock;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What is done with a store beside its users' programs, one thing after another. */
final class Chores {
    private static final int[] PAGES = {512, 1024, 4096};

    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private final Runnable interrupt;
    private final Function<Handle, ObjectStore> backups;
    private final String saved;
    private final BiFunction<Handle, String, Penstock> elsewhere;

    /** One thing to do, by a method of the surface. */
    enum Chore {
        BUILD(INDEX_ADDED, "RecordCollection.build()"),
        BUILD_WITH_PROGRESS(INDEX_ADDED, "RecordCollection.build(Consumer)"),
        DROPS_INDEX(DROP_INDEX, "Admin.dropIndex(String,String)"),
        CHECKPOINT(CHECKPOINTS, "Admin.checkpoint()"),
        FLUSH(CHECKPOINTS, "Penstock.flush()"),
        COMPACT(COMPACTION, "Admin.compact()"),
        GC(COMPACTION, "Admin.removeGarbage(Duration)"),
        RECOVERS(RECOVER, "Admin.recover()"),
        RENEW(RECOVER, "Penstock.renewIdentity()"),
        REPAGES(REPAGE, "Admin.repage(String,int,Compression)"),
        RENAMES(RENAME, "Admin.rename(String,String)"),
        SCRUBS(SCRUB, "Admin.scrub(Index)"),
        SUMMARIZE(SUMMARIES, "Admin.summarize(RecordCollection,Field[])"),
        SUMMARIZE_WITH_FILTER(SUMMARIES, "Admin.summarize(RecordCollection,double,Field[])"),
        VERIFY(LOOKS, "Admin.verify()"),
        CHECK_INDEX(LOOKS, "Admin.check(Index)"),
        DUPLICATES(LOOKS, "Index.duplicates(int)"),
        BACKLOG(LOOKS, "Admin.backlog()"),
        GARBAGE(LOOKS, "Admin.findGarbage(Duration)"),
        QUARANTINE(LOOKS, "Admin.quarantine()"),
        BACKS_UP(BACKUPS, "Admin.backup(ObjectStore,String,boolean)"),
        COPIES(BACKUPS, "Admin.copy(Penstock)"),
        ROTATES_KEYS(ENCRYPTED, "Admin.rotateKeys()"),
        INTERRUPT(INTERRUPTS, "");

        private final Feature needs;
        final String method;

        Chore(Feature needs, String method) {
            this.needs = needs;
            this.method = method;
        }
    }

    /**
     * @param interrupt interrupts the threads of one of the users' machines
     * @param backups the place of backups, as a handle's machine sees it
     * @param saved the folder of backups
     * @param elsewhere opens a store of another prefix
     */
    Chores(
            Drawn drawn,
            Log log,
            SplittableRandom random,
            Runnable interrupt,
            Function<Handle, ObjectStore> backups,
            String saved,
            BiFunction<Handle, String, Penstock> elsewhere) {
        this.elsewhere = elsewhere;
        this.backups = backups;
        this.saved = saved;
        this.drawn = drawn;
        this.log = log;
        this.random = random;
        this.interrupt = interrupt;
    }

    void next(Handle handle) {
        // Somebody applies what is committed now and then, whatever else is drawn.
        List<Chore> possible = new ArrayList<>(List.of(Chore.CHECKPOINT));
        for (Chore chore : Chore.values()) {
            boolean indexed = handle.byGroup != null
                    || chore != Chore.SCRUBS && chore != Chore.CHECK_INDEX && chore != Chore.DUPLICATES;
            if (drawn.has(chore.needs) && indexed) {
                possible.add(chore);
            }
        }
        Chore chore = possible.get(random.nextInt(possible.size()));
        log.count(chore.name(), drawn);
        if (!chore.method.isEmpty()) {
            log.calls.called(chore.method);
        }
        log.say(handle, chore.toString());
        try {
            run(chore, handle);
        } catch (StoreException e) {
            log.say(handle, chore + " ends in " + e);
            log.unexpected(e, drawn);
        }
    }

    private void run(Chore chore, Handle handle) {
        Index<String, String, String> index = handle.byGroup;
        switch (chore) {
            case BUILD -> handle.a.build();
            case BUILD_WITH_PROGRESS -> handle.a.build(progress -> {});
            case DROPS_INDEX -> handle.store.admin().dropIndex(handle.a.name(), "by-group");
            case CHECKPOINT -> handle.store.admin().checkpoint();
            case FLUSH -> handle.store.flush();
            case COMPACT -> handle.store.admin().compact();
            case GC -> handle.store.admin().removeGarbage(Duration.ZERO);
            case RECOVERS -> handle.store.admin().recover();
            case RENEW -> handle.store.renewIdentity();
            case REPAGES ->
                handle.store.admin().repage(handle.a.name(), PAGES[random.nextInt(PAGES.length)], Compression.NONE);
            case RENAMES -> rename(handle, random.nextBoolean() ? "a" : "b");
            case SCRUBS -> handle.store.admin().scrub(Objects.requireNonNull(index));
            case SUMMARIZE -> handle.store.admin().summarize(handle.records(random.nextBoolean() ? "a" : "b"));
            case SUMMARIZE_WITH_FILTER -> handle.store.admin().summarize(handle.a, 0.1, Item.ID);
            case VERIFY -> handle.store.admin().verify().violations().forEach(line -> log.say(handle, line));
            case CHECK_INDEX -> handle.store.admin().check(Objects.requireNonNull(index));
            case DUPLICATES -> Objects.requireNonNull(index).duplicates(3);
            case BACKLOG -> handle.store.admin().backlog();
            case GARBAGE -> handle.store.admin().findGarbage(Duration.ZERO);
            case QUARANTINE -> {
                log.calls.called("Quarantine.list()");
                handle.store.admin().quarantine().list().stream()
                        .peek(item -> log.say(handle, item.toString()))
                        .filter(item -> !item.collection().equals("m")) // what comes late for one that moves
                        .forEach(item -> log.alarm(Verification.SOUND, item.toString()));
            }
            case BACKS_UP -> {
                handle.store.admin().backup(backups.apply(handle), saved, random.nextInt(3) == 0);
                int kept = random.nextInt(6);
                if (kept > 0 && kept < 4) {
                    log.calls.called("Admin.keepBackups(ObjectStore,String,int,Duration)");
                    handle.store.admin().keepBackups(backups.apply(handle), saved, kept, Duration.ofSeconds(kept - 1));
                }
            }
            case COPIES -> copy(handle, "copied" + random.nextInt(2));
            case ROTATES_KEYS -> handle.store.admin().rotateKeys();
            case INTERRUPT -> interrupt.run();
        }
    }

    /** The new name begins with the old one's letter, by which changes of the feed are known. */
    private void rename(Handle handle, String name) {
        handle.store.admin().rename(handle.records(name).name(), name + random.nextInt(1_000_000));
    }

    /** Goes on with half a copy if there is one; a whole one stays. */
    private void copy(Handle handle, String prefix) {
        try (Penstock copy = elsewhere.apply(handle, prefix)) {
            handle.store.admin().copy(copy);
            copy.admin().removeGarbage(Duration.ofDays(1));
            copy.admin().verify().violations().forEach(line -> log.alarm(Verification.SOUND, "copied: " + line));
        } catch (InvalidRequestException there) {
            if (there.code() != ErrorCode.ALREADY_EXISTS) {
                throw there;
            }
            log.say(handle, there.toString());
        }
    }
}
