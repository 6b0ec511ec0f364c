package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.DomainPages;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.Membership;
import io.penstock.commit.domain.Conflict;
import io.penstock.commit.domain.Domains;
import io.penstock.commit.domain.Limits;
import io.penstock.commit.domain.LogHome;
import io.penstock.commit.domain.Parts;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.queue.IntakeQueues;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import java.util.Optional;

/** The parts of a client that its domains use: its servers, its clock, its pages. */
record StrictParts(
        Services services,
        StoreSettings settings,
        Lanes lanes,
        StoreTrees trees,
        Membership membership,
        HybridClock clock,
        DomainPages pages,
        StoreMeters meters) {
    Domains domains() {
        Lane lane = lanes.foreground();
        ObjectStore log = settings.log()
                .objects()
                .map(objects -> Lane.reliable(objects, services.tasks(), settings, "transaction"))
                .orElse(lane.objects());
        IntakeQueues intakes = new IntakeQueues(lane.queues(), lane.names());
        return new Domains(new Parts(
                services.tasks(),
                log,
                settings.prefix() + "/",
                clock,
                membership.serverClock(),
                membership::client,
                pages,
                Limits.of(
                        settings.limits().ttl(),
                        settings.log().retention(),
                        settings.calls().budget()),
                this::refusal,
                // Where no other client can be, no race is lost.
                services.exclusive() ? Optional.empty() : Optional.of(intakes::of),
                settings.log().objects().isEmpty() ? key -> {} : key -> home(lane.objects(), log, key),
                meters::putting));
    }

    private void home(ObjectStore pages, ObjectStore log, String key) {
        new LogHome(pages, log, services.tasks().random()::nextLong)
                .require(key, !settings.client().readOnly());
    }

    /** A conflict, by the names of its collection and index. */
    private ConflictException refusal(Conflict conflict) {
        Optional<CollectionDefinition> collection = trees.catalog().knownOfTree(conflict.tree());
        String name = collection.map(CollectionDefinition::name).orElse("?");
        meters.refused(name, conflict.kind());
        Bytes key = conflict.key();
        if (collection.isEmpty() || key == null || key.isEmpty()) {
            return conflict.exception(name);
        }
        if (collection.get().treeId().equals(conflict.tree())) {
            return conflict.exception(name, null, key);
        }
        return collection.get().indexes().stream()
                .filter(index -> index.treeId().equals(conflict.tree()))
                .findFirst()
                .map(index -> conflict.exception(
                        name, index.name(), CompositeKey.split(key).second()))
                .orElseGet(() -> conflict.exception(name));
    }
}
