package io.penstock.core.memory;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Iterator;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * A temporary file of sorted items: flag, lengths, key and value of each, then an end mark. It exists only for the
 * duration of one load, so its format has no version, and is encrypted by a key of its own, whatever the store is:
 * after a crash nobody reads what is left.
 */
final class RunFile {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final byte END = -1;

    private final Path file;
    private final SecretKey key;

    private RunFile(Path file, SecretKey key) {
        this.file = file;
        this.key = key;
    }

    private static SecretKey key() {
        try {
            return KeyGenerator.getInstance("AES").generateKey();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }

    /** Each key is for one file, so the counter may begin at 0. */
    private static Cipher cipher(int mode, SecretKey key) {
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(mode, key, new IvParameterSpec(new byte[cipher.getBlockSize()]));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static RunFile write(Path file, Iterator<ExternalSort.Item> items) {
        boolean written = false;
        SecretKey key = key();
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(
                    new CipherOutputStream(Files.newOutputStream(file), cipher(Cipher.ENCRYPT_MODE, key)),
                    BUFFER_BYTES))) {
                while (items.hasNext()) {
                    ExternalSort.Item item = items.next();
                    out.writeByte(item.isReference() ? 1 : 0);
                    write(out, item.key());
                    write(out, item.value());
                }
                out.writeByte(END);
            }
            written = true;
        } catch (IOException e) {
            throw failed("a temporary file of a load cannot be written; make room, then repeat the load", file, e);
        } finally {
            if (!written) {
                discard(file);
            }
        }
        return new RunFile(file, key);
    }

    /**
     * Removes an incomplete file, so that its directory can be removed. A failure is ignored, since the one to report
     * is that of the writing.
     */
    @SuppressWarnings("EmptyCatch")
    private static void discard(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException ignored) {
        }
    }

    private static void write(DataOutputStream out, Bytes bytes) throws IOException {
        out.writeInt(bytes.length());
        out.write(bytes.array(), bytes.offset(), bytes.length());
    }

    private static UnavailableException failed(String what, Path file, IOException cause) {
        return new UnavailableException(what, cause, "file", file);
    }

    Cursor open() {
        return new Cursor();
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw failed("a temporary file of a load cannot be removed; remove it", file, e);
        }
    }

    /** A reader of the items, one by one. For one thread. */
    final class Cursor implements AutoCloseable {
        private final DataInputStream in;
        private ExternalSort.@Nullable Item item;

        Cursor() {
            try {
                in = new DataInputStream(new BufferedInputStream(
                        new CipherInputStream(Files.newInputStream(file), cipher(Cipher.DECRYPT_MODE, key)),
                        BUFFER_BYTES));
            } catch (IOException e) {
                throw failed("a temporary file of a load cannot be read; repeat the load", file, e);
            }
            advance();
        }

        /** The current item, or null after the last. */
        ExternalSort.@Nullable Item item() {
            return item;
        }

        void advance() {
            try {
                byte flag = in.readByte();
                item = flag == END ? null : new ExternalSort.Item(read(), read(), flag == 1);
            } catch (IOException e) {
                throw failed("a temporary file of a load cannot be read; repeat the load", file, e);
            }
        }

        private Bytes read() throws IOException {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return Bytes.wrap(bytes);
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw failed("a temporary file of a load cannot be closed", file, e);
            }
        }
    }
}
