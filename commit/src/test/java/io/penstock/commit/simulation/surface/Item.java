package io.penstock.commit.simulation.surface;

import io.penstock.PayloadCodec;
import io.penstock.core.Bytes;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import io.penstock.query.ValueField;
import org.jspecify.annotations.Nullable;

/**
 * A value that a program puts: {@code id;group;unique;expiry;padding}. The id names the write, the group is the search
 * key of the index (none for the last), and the expiry is in milliseconds since 1970, 0 for never. Values of
 * edits go on with {@code ;key;version}.
 */
final class Item {
    static final int GROUPS = 4;

    static final PayloadCodec<String> CODEC = new PayloadCodec<>() {
        @Override
        public Bytes encode(String value) {
            return Bytes.utf8(value);
        }

        @Override
        public String decode(Bytes payload) {
            return payload.toUtf8();
        }
    };

    /** The fields of collections with such values. */
    static final KeyField<String> KEY = Field.key("k", FieldType.STRING);

    static final ValueField<String, String> GROUP = Field.of("grp", FieldType.STRING, Item::group);
    static final ValueField<String, String> ID = Field.of("id", FieldType.STRING, Item::id);
    static final Fields FIELDS = Fields.of(KEY, GROUP, ID);

    private Item() {}

    static String of(String id, int group, String unique, long expiryMillis, int padding) {
        return id + ";" + group + ";" + unique + ";" + expiryMillis + ";" + "~".repeat(padding);
    }

    static String id(String value) {
        int end = value.indexOf(';');
        return end < 0 ? value : value.substring(0, end);
    }

    private static String part(String value, int number) {
        int from = 0;
        for (int i = 0; i < number; i++) {
            from = value.indexOf(';', from) + 1;
        }
        int end = value.indexOf(';', from);
        return value.substring(from, end < 0 ? value.length() : end);
    }

    /** The search key of a value, null for the records that the index leaves out. */
    static @Nullable String group(String value) {
        String group = part(value, 1);
        return group.equals(String.valueOf(GROUPS - 1)) ? null : "g" + group;
    }

    static @Nullable String unique(String value) {
        String unique = part(value, 2);
        return unique.isEmpty() ? null : unique;
    }

    /** The value of a field by its name. */
    static @Nullable String field(String name, String key, String value) {
        return name.equals(KEY.name()) ? key : name.equals(GROUP.name()) ? group(value) : id(value);
    }

    /** A value that knows its key, of a version. */
    static String of(String id, String key, long version) {
        return of(id, GROUPS - 1, "", 0, 0) + ";" + key + ";" + version;
    }

    static String key(String value) {
        return part(value, 5);
    }

    static long version(String value) {
        return Long.parseLong(part(value, 6));
    }

    static String withVersion(String value, long version) {
        return of(id(value), key(value), version);
    }

    static long expiryMillis(String value) {
        return value.indexOf(';') < 0 ? 0 : Long.parseLong(part(value, 3));
    }

    static String clip(Object answer) {
        String text = String.valueOf(answer).replaceAll("~+", "~");
        return text.length() > 600 ? text.substring(0, 600) + " ..." : text;
    }
}
