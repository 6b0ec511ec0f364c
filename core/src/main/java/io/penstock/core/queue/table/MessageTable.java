package io.penstock.core.queue.table;

import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue, oldest first, and which of them are hidden until when: about 150 bytes a message without
 * its body. Pure state: the clock is an argument, {@code nowNanos}, in nanoseconds from any origin. It never goes
 * backwards. Not safe for use by several threads at a time.
 *
 * @param <M> the kind of messages
 */
public final class MessageTable<M extends QueuedMessage> {
    private final TreeMap<Long, M> messages = new TreeMap<>();
    private final TreeMap<Long, M> visible = new TreeMap<>();
    private final TreeSet<M> hidden = new TreeSet<>(Comparator.<M>comparingLong(message -> message.visibleAtNanos)
            .thenComparingLong(message -> message.number));

    /** Adds a message. */
    public void add(M message) {
        messages.put(message.number, message);
        if (message.visibleAtNanos == Long.MIN_VALUE) {
            visible.put(message.number, message);
        } else {
            hidden.add(message);
        }
    }

    /** The message with this number, unless it was removed. */
    public @Nullable M find(long number) {
        return messages.get(number);
    }

    /** All messages, oldest first: a view, which the next change makes void. */
    public Collection<M> all() {
        return Collections.unmodifiableCollection(messages.values());
    }

    /** The oldest messages that are visible now, at most {@code max}. */
    public List<M> visible(int max, long nowNanos) {
        show(nowNanos);
        List<M> found = new ArrayList<>(Math.min(max, visible.size()));
        for (M message : visible.values()) {
            if (found.size() == max) {
                break;
            }
            found.add(message);
        }
        return found;
    }

    /**
     * Delivers a message, and hides it.
     *
     * @param token names this delivery, among those of the message
     */
    public Receipt deliver(M message, long token, long visibleAtNanos) {
        hide(message, visibleAtNanos);
        return message.deliver(token);
    }

    /** Hides a message until then. */
    public void hide(M message, long visibleAtNanos) {
        visible.remove(message.number);
        hidden.remove(message);
        message.visibleAtNanos = visibleAtNanos;
        hidden.add(message);
    }

    /** Hides the message of a delivery until a time, and returns whether it did: only if that delivery hides it now. */
    public boolean changeVisibility(Receipt receipt, long nowNanos, long visibleAtNanos) {
        Handle handle = Handle.parse(receipt);
        M message = handle == null ? null : messages.get(handle.number());
        if (handle == null || message == null || !message.isNewest(handle) || message.isVisible(nowNanos)) {
            return false;
        }
        hide(message, visibleAtNanos);
        return true;
    }

    /**
     * Gives the message of a delivery, if there still is one, to {@code found}, which may remove it.
     *
     * @return false when a newer delivery has the message, or the receipt is foreign
     */
    public boolean claim(Receipt receipt, Consumer<M> found) {
        Handle handle = Handle.parse(receipt);
        if (handle == null) {
            return false;
        }
        M message = messages.get(handle.number());
        if (message != null && message.isNewest(handle)) {
            found.accept(message);
            return true;
        }
        return message == null;
    }

    /** Removes a message. */
    public void remove(M message) {
        messages.remove(message.number);
        visible.remove(message.number);
        hidden.remove(message);
    }

    /** Removes and returns the oldest messages, up to the first whose time is not over. */
    public List<M> expire(Predicate<? super M> isOver) {
        List<M> expired = new ArrayList<>();
        while (!messages.isEmpty() && isOver.test(messages.firstEntry().getValue())) {
            M oldest = messages.firstEntry().getValue();
            remove(oldest);
            expired.add(oldest);
        }
        return expired;
    }

    /** Shows all messages that are hidden. */
    public void showAll() {
        show(Long.MAX_VALUE);
    }

    public QueueDepth depth(long nowNanos) {
        show(nowNanos);
        return new QueueDepth(visible.size(), hidden.size());
    }

    /** The time at which the next hidden message shows; the greatest number when none is hidden. */
    public long nextVisibleNanos() {
        return hidden.isEmpty() ? Long.MAX_VALUE : hidden.first().visibleAtNanos;
    }

    private void show(long nowNanos) {
        while (!hidden.isEmpty() && hidden.first().visibleAtNanos <= nowNanos) {
            M message = hidden.removeFirst();
            message.visibleAtNanos = Long.MIN_VALUE;
            visible.put(message.number, message);
        }
    }
}
