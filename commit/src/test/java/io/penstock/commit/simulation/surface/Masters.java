package io.penstock.commit.simulation.surface;

import io.penstock.PayloadCodec;
import io.penstock.core.seal.MasterKeys;
import java.util.List;

/** The master keys of encrypted stores, and those of sealed values. */
final class Masters {
    private static final String MAIN_LINE = "main AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static final String NEXT_LINE = "next Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

    static final MasterKeys MAIN = MasterKeys.given(MAIN_LINE);
    static final MasterKeys NEXT = MasterKeys.given(NEXT_LINE);

    /** Both keys; the first is the one that seals. */
    static final List<MasterKeys> BOTH =
            List.of(MasterKeys.given(MAIN_LINE + "," + NEXT_LINE), MasterKeys.given(NEXT_LINE + "," + MAIN_LINE));

    /** A key that has the name of the right one. */
    static final MasterKeys WRONG = MasterKeys.given("main Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=");

    private static final List<PayloadCodec<String>> SEALED =
            List.of(Item.CODEC.sealed(BOTH.getFirst(), "main"), Item.CODEC.sealed(BOTH.getFirst(), "next"));

    private Masters() {}

    /**
     * The codec of a collection's values.
     *
     * @param number of the handle: one seals under one key, the next one under the other
     */
    static PayloadCodec<String> codec(Drawn drawn, String collection, int number) {
        return drawn.has(Feature.SEALED) && collection.startsWith("a") ? SEALED.get(number & 1) : Item.CODEC;
    }
}
