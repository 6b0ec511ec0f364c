package io.penstock;

/** A class whose initializer runs what {@link PinnedCallers} gives it. */
final class Initialized {
    static {
        PinnedCallers.runBody();
    }

    private Initialized() {}
}
