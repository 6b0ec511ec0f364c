package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.task.Tasks;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-GCM and HMAC-SHA256 of the JDK. */
final class Gcm {
    static final int KEY_BYTES = 32;
    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;

    private Gcm() {}

    /** Random bytes of the JDK's secure source, for codecs, which have no tasks: nothing is decided by them. */
    static Bytes random(int bytes) {
        try {
            KeyGenerator generator = KeyGenerator.getInstance("AES");
            generator.init(KEY_BYTES * Byte.SIZE);
            return Bytes.wrap(generator.generateKey().getEncoded(), 0, bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }

    /** Random bytes of the program's source, which nobody can predict in production. */
    static Bytes random(Tasks tasks, int bytes) {
        byte[] drawn = new byte[bytes];
        tasks.random().nextBytes(drawn);
        return Bytes.wrap(drawn);
    }

    /** A key of its own for a purpose, or for one of many objects. */
    static byte[] derive(byte[] key, Bytes purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(purpose.array(), purpose.offset(), purpose.length());
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }

    /** Writes the sealed {@code body}, with its tag, into {@code to} from {@code at} on. */
    static void seal(byte[] key, Bytes nonce, byte[] authenticated, Bytes body, byte[] to, int at) {
        try {
            run(Cipher.ENCRYPT_MODE, key, nonce, authenticated, body, to, at);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Writes the body of what was sealed into {@code to} from {@code at} on.
     *
     * @return false when the key, or any byte of the rest, is not the one that it was sealed with
     */
    static boolean open(byte[] key, Bytes nonce, byte[] authenticated, Bytes sealed, byte[] to, int at) {
        try {
            run(Cipher.DECRYPT_MODE, key, nonce, authenticated, sealed, to, at);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(int mode, byte[] key, Bytes nonce, byte[] authenticated, Bytes in, byte[] to, int at)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        GCMParameterSpec with =
                new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array(), nonce.offset(), nonce.length());
        cipher.init(mode, new SecretKeySpec(key, "AES"), with);
        cipher.updateAAD(authenticated);
        cipher.doFinal(in.array(), in.offset(), in.length(), to, at);
    }
}
