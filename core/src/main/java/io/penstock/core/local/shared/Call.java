package io.penstock.core.local.shared;

import java.util.EnumSet;
import java.util.Set;

/**
 * The calls that an attached process can make to the owner. The order is part of the protocol: see {@link
 * Frames#VERSION}.
 */
enum Call {
    GET,
    LOOK,
    GET_RANGE,
    GET_IF_CHANGED,
    PUT,
    DELETE,
    DELETE_ALL,
    LIST,
    BEGIN_UPLOAD,
    UPLOAD_PART,
    COMPLETE_UPLOAD,
    ABORT_UPLOAD,
    CREATE_QUEUE,
    FIND_QUEUE,
    LIST_QUEUES,
    DELETE_QUEUE,
    QUEUE_LIMITS,
    SEND,
    RECEIVE,
    DELETE_MESSAGES,
    CHANGE_VISIBILITY,
    DEPTH,
    CONFIGURATION,
    DAMAGE;

    private static final Set<Call> READS = EnumSet.of(
            GET,
            LOOK,
            GET_RANGE,
            GET_IF_CHANGED,
            LIST,
            FIND_QUEUE,
            LIST_QUEUES,
            QUEUE_LIMITS,
            DEPTH,
            CONFIGURATION,
            DAMAGE);

    /** Whether it changes nothing. A receive is no such call: it hides messages. */
    boolean reads() {
        return READS.contains(this);
    }
}
