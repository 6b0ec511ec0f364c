package io.penstock.core.object;

import org.jspecify.annotations.Nullable;

/** The condition of a put. */
public sealed interface WriteCondition {
    /** No condition. */
    record Always() implements WriteCondition {}

    /** Only if there is no object under the key (S3's If-None-Match: *). */
    record IfAbsent() implements WriteCondition {}

    /** Only if the object's content is this one (S3's If-Match). */
    record IfVersion(ObjectVersion version) implements WriteCondition {}

    WriteCondition ALWAYS = new Always();
    WriteCondition IF_ABSENT = new IfAbsent();

    static WriteCondition ifVersion(ObjectVersion version) {
        return new IfVersion(version);
    }

    /** Whether a put may replace {@code found}; null: there is no object. */
    default boolean holds(@Nullable StoredObject found) {
        return switch (this) {
            case Always always -> true;
            case IfAbsent absent -> found == null;
            case IfVersion expected -> found != null && found.version().equals(expected.version());
        };
    }
}
