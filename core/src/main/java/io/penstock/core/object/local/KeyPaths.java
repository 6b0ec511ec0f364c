package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectRules;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of a key's object: one directory per {@code /}-separated component, names in plain ASCII.
 *
 * <p>A name is the component, with every byte except small letters, digits, {@code - _ .} as {@code %XX}, and a mark:
 * {@code .o} for an object, {@code .d} for a component with more after its slash, {@code .c} for the first {@link
 * #CHUNK_BYTES} of a longer component. The marks let {@code a} and {@code a/b} both exist, and keep {@code ..} and
 * empty components harmless. Because a component of {@link #CHUNK_BYTES} or more is always cut, no two siblings hold
 * keys that interleave, and a walk that sorts siblings by {@link Name#sortKey} meets the keys in the order of their
 * bytes.
 *
 * <p>Any file system takes these names: two of them differ in more than case, which macOS and Windows do not
 * distinguish, and the first byte of a component that is the name of a device on Windows is {@code %XX} too.
 *
 * <p>A path is at most 3 times as long as its key, so a root of up to 900 bytes stays within Linux's 4,096.
 */
final class KeyPaths {
    /**
     * The bytes of a component in one name: escaped three-fold and with its mark it fits the 255 bytes of a file name.
     */
    static final int CHUNK_BYTES = 80;

    private static final String HEX = "0123456789ABCDEF";

    /** Names that Windows takes for devices, whatever follows the dot. */
    private static final Pattern DEVICE = Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

    private final Path root;

    /** @param root the directory of all objects */
    KeyPaths(Path root) {
        this.root = root;
    }

    /** The file of a valid key. */
    Path file(String key) {
        byte[] bytes = ObjectRules.keyBytes(key);
        Path path = root;
        int from = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '/') {
                path = path.resolve(escape(bytes, from, at) + Kind.DIRECTORY.mark);
                from = at + 1;
            } else if (at - from == CHUNK_BYTES - 1) {
                path = path.resolve(escape(bytes, from, at + 1) + Kind.CHUNK.mark);
                from = at + 1;
            }
        }
        return path.resolve(escape(bytes, from, bytes.length) + Kind.OBJECT.mark);
    }

    private static String escape(byte[] bytes, int from, int to) {
        StringBuilder name = new StringBuilder();
        for (int i = from; i < to; i++) {
            int b = bytes[i] & 0xff;
            if (isPlain(b)) {
                name.append((char) b);
            } else {
                name.append(escaped(b));
            }
        }
        if (DEVICE.matcher(name).matches()) {
            name.replace(0, 1, escaped(name.charAt(0)));
        }
        return name.toString();
    }

    private static String escaped(int b) {
        return "%" + HEX.charAt(b >> 4) + HEX.charAt(b & 15);
    }

    private static boolean isPlain(int b) {
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_' || b == '.';
    }

    /** The name of a file, taken apart; null when the file is foreign. */
    static @Nullable Name parse(String fileName) {
        for (Kind kind : Kind.values()) {
            if (fileName.endsWith(kind.mark)) {
                byte[] component = unescape(fileName, fileName.length() - kind.mark.length());
                return component == null ? null : new Name(fileName, kind, Bytes.wrap(component));
            }
        }
        return null;
    }

    private static byte @Nullable [] unescape(String name, int end) {
        byte[] bytes = new byte[end];
        int count = 0;
        for (int i = 0; i < end; i++) {
            char c = name.charAt(i);
            if (c == '%' && i + 2 < end) {
                int high = HEX.indexOf(name.charAt(i + 1));
                int low = HEX.indexOf(name.charAt(i + 2));
                if (high < 0 || low < 0) {
                    return null;
                }
                bytes[count++] = (byte) (high << 4 | low);
                i += 2;
            } else if (c < 128 && isPlain(c)) {
                bytes[count++] = (byte) c;
            } else {
                return null;
            }
        }
        return Arrays.copyOf(bytes, count);
    }

    /** The meaning of a name in the tree. */
    enum Kind {
        OBJECT(".o"),
        DIRECTORY(".d"),
        CHUNK(".c");

        private final String mark;

        Kind(String mark) {
            this.mark = mark;
        }
    }

    /**
     * A file name taken apart.
     *
     * @param component of the key, or a chunk of one
     */
    record Name(String fileName, Kind kind, Bytes component) {
        /** Its part of the key: the key's end for an object, otherwise the common part of all keys below. */
        Bytes sortKey() {
            return kind == Kind.DIRECTORY ? component.concat(Bytes.utf8("/")) : component;
        }
    }
}
