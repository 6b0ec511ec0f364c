package io.penstock.commit.query;

import io.penstock.commit.index.CompositeKey;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.KeyField;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of the keys of a collection, by the name of its key codec: one codec, or pairs within pairs from the right.
 * Immutable.
 *
 * @param codecs the names of the codecs of the parts, one at least
 */
public record KeyShape(List<String> codecs) {
    private static final String PAIR = "pair(";

    public KeyShape {
        codecs = List.copyOf(codecs);
    }

    /** The shape of the keys of a codec. */
    public static KeyShape of(String codec) {
        List<String> parts = new ArrayList<>();
        String rest = codec;
        int comma = comma(rest);
        while (comma > 0) {
            parts.add(rest.substring(PAIR.length(), comma));
            rest = rest.substring(comma + 1, rest.length() - 1);
            comma = comma(rest);
        }
        parts.add(rest);
        return new KeyShape(parts);
    }

    /** The place of the comma between the two codecs of a pair; negative when it is no pair. */
    private static int comma(String codec) {
        if (!codec.startsWith(PAIR) || !codec.endsWith(")")) {
            return -1;
        }
        int depth = 0;
        for (int i = PAIR.length(); i < codec.length() - 1; i++) {
            char c = codec.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Checks that a field can be read from keys of this shape.
     *
     * @throws InvalidRequestException when it cannot
     */
    public void require(Field<?> field) {
        boolean fits = !(field instanceof KeyField<?> key)
                || key.isComputed()
                || part(key) < codecs.size()
                        && (!key.isWhole() || codecs.size() == 1)
                        && codecs.get(part(key)).equals(key.type().codec());
        if (!fits) {
            throw new InvalidRequestException(
                    "a key has no such part of this type; see the parts, or compute the field by Field.ofKey",
                    "field",
                    field.name(),
                    "type",
                    field.type(),
                    "parts",
                    codecs);
        }
    }

    /** The number of the part that a field is; it is not computed. */
    static int part(KeyField<?> field) {
        return field.isWhole() ? 0 : field.part();
    }

    /** The value of a field that is a part of the key. */
    <T> T value(KeyField<T> field, Bytes key) {
        return field.type().decode(part(key, part(field)));
    }

    /** The bytes of a part of a key. */
    public Bytes part(Bytes key, int part) {
        Bytes rest = key;
        for (int i = 0; i < part; i++) {
            rest = CompositeKey.split(rest).second();
        }
        return part < codecs.size() - 1 ? CompositeKey.split(rest).first() : rest;
    }
}
