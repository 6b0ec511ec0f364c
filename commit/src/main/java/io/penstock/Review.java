package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.page.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The review of a collection that a curator answers for: changes of others wait as proposals until the curator approves
 * or rejects them. Safe for use by many threads.
 *
 * <p>Proposals are records of the collection {@code <name>.review} in the same domain; rename it with the other. So an
 * approval applies one and removes it in a single transaction at SERIALIZABLE; of two approvals one finds nothing. They
 * wait until a curator comes. That contributors write no record themselves is a convention of the programs: the right
 * to write into the log of a domain is one for all its collections.
 *
 * <pre>{@code
 * Review<String, Book> review = Review.of(books);
 * String id = review.propose("0-201", Optional.of(changed), "ada");
 * review.approve(id);
 * }</pre>
 */
public final class Review<K, V> {
    /** The time for which a rejected proposal is kept, so that its contributor can read the reason. */
    public static final Duration REJECTED_FOR = Duration.ofDays(30);

    private static final Logger LOG = LoggerFactory.getLogger(Review.class);
    private static final String SUFFIX = ".review";
    private static final int TEXT_MAX = 1_000;

    private final RecordCollection<K, V> collection;
    private final Penstock store;
    private final RecordCollection<String, Map<String, Object>> proposals;

    /**
     * A change that waits, or was rejected.
     *
     * @param id in the order of their times
     * @param value that the record is to have; empty: it is to be deleted
     * @param by the name that the contributor gave
     * @param at by the contributor's clock
     * @param rejected the reason; empty while it waits
     */
    public record Proposal<K, V>(
            String id, K key, Optional<V> value, String by, Instant at, Optional<String> rejected) {}

    @SuppressWarnings({"unchecked", "rawtypes"}) // a class says nothing of what a map has, and JSON has names
    private static PayloadCodec<Map<String, Object>> members() {
        return (PayloadCodec) Json.of(Map.class);
    }

    private Review(RecordCollection<K, V> collection, String domain) {
        this.collection = collection;
        this.store = collection.store();
        this.proposals = store.collection(collection.name() + SUFFIX, Keys.string(), members())
                .inDomain(domain);
    }

    /**
     * Returns the review of a collection.
     *
     * @throws InvalidRequestException when it is in no domain: an approval needs a transaction
     */
    public static <K, V> Review<K, V> of(RecordCollection<K, V> collection) {
        String domain = collection.declaration().definition().domain();
        if (domain == null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "a collection without a domain has no transactions to approve by; move it with Admin.moveInto",
                    "collection",
                    collection.name());
        }
        return new Review<>(collection, domain);
    }

    /**
     * Proposes a change of one record, and returns the id of the proposal.
     *
     * @param value that the record is to have; empty: delete it
     * @param by the contributor, up to 1,000 characters
     */
    public String propose(K key, Optional<V> value, String by) {
        requireText("by", by);
        long now = store.tasks().nowMillis();
        String id = HexFormat.of().toHexDigits(now) + "-"
                + HexFormat.of().toHexDigits(store.tasks().random().nextInt());
        Bytes keyBytes = collection.encode(key);
        Map<String, Object> proposal = new LinkedHashMap<>(Map.of("by", by, "at", now, "key", base64(keyBytes)));
        value.ifPresent(wanted -> {
            proposal.put("value", base64(collection.payloads().encode(wanted)));
            proposal.put("needs", made());
        });
        return store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            proposal.put("base", digest(tx, keyBytes));
            tx.put(proposals, id, proposal);
            return id;
        });
    }

    /** The parts of a record that a put makes, as the program declares them. */
    private List<String> made() {
        List<String> made = new ArrayList<>();
        if (collection.versions() != null) {
            made.add("version");
        }
        if (collection.hasExpiries() || collection.expiryMillis() != Expiry.NEVER) {
            made.add("expiry");
        }
        return made;
    }

    /** Refuses to put a value without the version or the expiry that its contributor's program would give it. */
    private void requireMade(String id, Map<String, Object> stored) {
        if (stored.get("needs") instanceof List<?> needs && !made().containsAll(needs)) {
            throw new InvalidRequestException(
                    "the record is to get a version or an expiry, which only a program that declares them can give it;"
                            + " approve the proposal there",
                    "collection",
                    collection.name(),
                    "proposal",
                    id);
        }
    }

    private static void requireText(String what, String text) {
        if (text.isBlank() || text.length() > TEXT_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "give some text, at most 1,000 characters", "of", what);
        }
    }

    private static String base64(Bytes bytes) {
        return Base64.getEncoder().encodeToString(bytes.toArray());
    }

    /** The digest of what a record has; empty when there is none. */
    private String digest(Transaction tx, Bytes key) {
        RecordCollection<Bytes, Bytes> raw = store.rawCollection(collection.name());
        return tx.get(raw, key).map(Bytes::sha256).orElse("");
    }

    /**
     * The proposals that wait, oldest first, at most so many. Those that cannot be read, as their key was destroyed,
     * are left out, with a warning that names them; reject or withdraw them.
     */
    public List<Proposal<K, V>> pending(int most) {
        return list(most, false);
    }

    /** The proposals that were rejected, oldest first, at most so many. They go after {@link #REJECTED_FOR}. */
    public List<Proposal<K, V>> rejected(int most) {
        return list(most, true);
    }

    private List<Proposal<K, V>> list(int most, boolean rejected) {
        List<Proposal<K, V>> found = new ArrayList<>();
        try (Scan<Entry<String, Map<String, Object>>> all = proposals.scan(KeySpan.all())) {
            while (found.size() < most && all.hasNext()) {
                Entry<String, Map<String, Object>> next = all.next();
                if (next.value().containsKey("reason") == rejected) {
                    readable(next).ifPresent(found::add);
                }
            }
        }
        return found;
    }

    private Optional<Proposal<K, V>> readable(Entry<String, Map<String, Object>> stored) {
        try {
            return Optional.of(proposal(stored.key(), stored.value()));
        } catch (CorruptDataException wrong) {
            LOG.warn("a proposal is left out of a list", wrong);
            return Optional.empty();
        }
    }

    private Proposal<K, V> proposal(String id, Map<String, Object> proposal) {
        try {
            return new Proposal<>(
                    id,
                    collection.keys().decode(bytes(proposal, "key")),
                    proposal.containsKey("value")
                            ? Optional.of(collection.payloads().decode(bytes(proposal, "value")))
                            : Optional.empty(),
                    text(proposal, "by"),
                    Instant.ofEpochMilli(Long.parseLong(text(proposal, "at"))),
                    Optional.ofNullable(proposal.get("reason")).map(String::valueOf));
        } catch (CorruptDataException | InvalidRequestException | IllegalArgumentException wrong) {
            throw new CorruptDataException(
                    ErrorCode.CODEC_FAILURE,
                    "a proposal is none of this collection's keys and values, or its key was destroyed; reject or"
                            + " withdraw it",
                    wrong,
                    "proposal",
                    id);
        }
    }

    private static String text(Map<String, Object> proposal, String name) {
        return String.valueOf(proposal.get(name));
    }

    private static Bytes bytes(Map<String, Object> proposal, String name) {
        return Bytes.wrap(Base64.getDecoder().decode(text(proposal, name)));
    }

    /**
     * Applies a proposal and removes it, in one transaction.
     *
     * @throws ConflictException when the record changed since the proposal was made; nothing was done
     * @throws InvalidRequestException when no such proposal waits: it was approved, rejected or withdrawn; or when the
     *     contributor's program gives the record a version or an expiry that this collection does not declare
     */
    public void approve(String id) {
        if (!apply(id, false)) {
            throw new ConflictException(
                    ErrorCode.STALE_VERSION, // that of a plain conflict would be repeated by a transaction around it
                    "the record changed since this was proposed; compare them, then approve it regardless, or"
                            + " reject it",
                    "collection",
                    collection.name(),
                    "proposal",
                    id);
        }
    }

    /** Approves a proposal as {@link #approve} does, whatever the record has by now. */
    public void approveRegardless(String id) {
        boolean unused = apply(id, true);
    }

    private boolean apply(String id, boolean regardless) {
        return store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            Map<String, Object> stored = waiting(tx, id);
            Proposal<K, V> proposal = proposal(id, stored);
            String now = digest(tx, collection.encode(proposal.key));
            if (!regardless && !now.equals(text(stored, "base"))) {
                return false;
            }
            if (proposal.value.isPresent()) {
                requireMade(id, stored);
                V value = proposal.value.get();
                tx.put(
                        collection,
                        proposal.key,
                        regardless ? tx.versionedAsStored(collection, proposal.key, value) : value);
            } else {
                tx.delete(collection, proposal.key);
            }
            tx.delete(proposals, id);
            return true;
        });
    }

    private Map<String, Object> waiting(Transaction tx, String id) {
        return tx.get(proposals, id)
                .filter(stored -> !stored.containsKey("reason"))
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.NOT_FOUND,
                        "no such proposal waits; it was approved, rejected or withdrawn by now, or never made",
                        "collection",
                        collection.name(),
                        "proposal",
                        id));
    }

    /**
     * Rejects a proposal. It is kept with the reason for {@link #REJECTED_FOR}.
     *
     * @param reason up to 1,000 characters
     * @throws InvalidRequestException when no such proposal waits
     */
    public void reject(String id, String reason) {
        requireText("reason", reason);
        boolean unused = store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            Map<String, Object> rejected = new LinkedHashMap<>(waiting(tx, id));
            rejected.put("reason", reason);
            tx.put(proposals, id, rejected, REJECTED_FOR);
            return true;
        });
    }

    /** Removes a proposal, also a rejected one, for its contributor; returns whether it was there. */
    public boolean withdraw(String id) {
        return store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            Optional<Map<String, Object>> found = tx.get(proposals, id);
            if (found.isPresent()) {
                tx.delete(proposals, id);
            }
            return found.isPresent();
        });
    }
}
