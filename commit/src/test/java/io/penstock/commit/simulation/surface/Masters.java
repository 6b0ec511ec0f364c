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

    /** Seals by the second key, and lacks the first. */
    static final PayloadCodec<String> LACKING = Item.CODEC.sealed(NEXT, "next");

    private Masters() {}

    /** A codec that decodes all values of a collection. */
    static PayloadCodec<String> codec(Drawn drawn, String collection) {
        return drawn.has(Feature.SEALED) && collection.startsWith("a") ? SEALED.getFirst() : Item.CODEC;
    }

    /**
     * The codec by which a handle declares the sealed collection: one seals by one key, the next by the other.
     *
     * @param number of the handle: the first may lack a key, and begins with values that it can read
     */
    static PayloadCodec<String> codec(Drawn drawn, int number) {
        if (!drawn.has(Feature.SEALED)) {
            return Item.CODEC;
        }
        if (!drawn.has(Feature.LACKS_KEY)) {
            return SEALED.get(number & 1);
        }
        return number == 0 ? LACKING : number > 0 ? SEALED.get(1 - (number & 1)) : SEALED.getLast();
    }
}
