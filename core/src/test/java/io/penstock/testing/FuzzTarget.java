package io.penstock.testing;

import io.penstock.core.CorruptDataException;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A decoder of bytes from an untrusted writer, and what it may do with any of them: return, or throw {@link
 * #refusal}; in time and memory that the length of the bytes bounds.
 *
 * @param name of the decoder, for {@code scripts/fuzz --target}
 * @param valid bytes it takes, to be mutated
 * @param seal makes the checksums of mutated bytes fit again, so that what is behind them is reached
 * @param decoder reads the bytes, and uses what it read as the store would
 * @param refusal the one exception for bytes that are not as they should be
 * @param bytesPerByte memory that a byte may cost, besides {@link #BYTES_FREE}
 */
public record FuzzTarget(
        String name,
        List<byte[]> valid,
        UnaryOperator<byte[]> seal,
        Decoder decoder,
        Class<? extends RuntimeException> refusal,
        int bytesPerByte) {
    /** The allocations of a decoder that do not depend on its input: exceptions, buffers of fixed size. */
    private static final long BYTES_FREE = 256 << 10;

    /** Generous: a record of one byte on the wire is a few objects. */
    private static final int BYTES_PER_BYTE = 256;

    /** Reads bytes. */
    @FunctionalInterface
    public interface Decoder {
        void decode(byte[] bytes) throws Exception;
    }

    public static FuzzTarget of(String name, List<byte[]> valid, Decoder decoder) {
        return new FuzzTarget(
                name, valid, UnaryOperator.identity(), decoder, CorruptDataException.class, BYTES_PER_BYTE);
    }

    /** One that reads text. */
    public static FuzzTarget ofText(String name, List<String> valid, Function<String, ?> decoder) {
        List<byte[]> bytes = valid.stream()
                .map(text -> text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .toList();
        return of(name, bytes, text -> decoder.apply(new String(text, java.nio.charset.StandardCharsets.UTF_8)));
    }

    public FuzzTarget sealed(UnaryOperator<byte[]> sealing) {
        return new FuzzTarget(name, valid, sealing, decoder, refusal, bytesPerByte);
    }

    public FuzzTarget refusing(Class<? extends RuntimeException> exception) {
        return new FuzzTarget(name, valid, seal, decoder, exception, bytesPerByte);
    }

    public FuzzTarget allocating(int bytesEach) {
        return new FuzzTarget(name, valid, seal, decoder, refusal, bytesEach);
    }

    /** The most that may be allocated for so many bytes. */
    long allocationMax(int length) {
        return BYTES_FREE + (long) length * bytesPerByte;
    }

    @Override
    public String toString() {
        return name;
    }
}
