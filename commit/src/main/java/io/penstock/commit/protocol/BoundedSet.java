package io.penstock.commit.protocol;

import java.util.LinkedHashSet;

/** A set that forgets its oldest element when it is full. For one thread. */
final class BoundedSet<T> {
    private final int sizeMax;
    private final LinkedHashSet<T> elements = new LinkedHashSet<>();

    BoundedSet(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    void add(T element) {
        elements.add(element);
        if (elements.size() > sizeMax) {
            elements.removeFirst();
        }
    }

    boolean contains(T element) {
        return elements.contains(element);
    }
}
