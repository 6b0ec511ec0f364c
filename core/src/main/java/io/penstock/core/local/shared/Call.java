package io.penstock.core.local.shared;

/**
 * The calls that an attached process can make to the owner. The order is part of the protocol: see {@link
 * Frames#VERSION}.
 */
enum Call {
    GET,
    LOOK,
    GET_RANGE,
    GET_IF_CHANGED,
    PUT(true),
    DELETE,
    DELETE_ALL,
    LIST,
    BEGIN_UPLOAD,
    UPLOAD_PART,
    COMPLETE_UPLOAD(true),
    ABORT_UPLOAD,
    CREATE_QUEUE,
    FIND_QUEUE,
    LIST_QUEUES,
    DELETE_QUEUE,
    QUEUE_LIMITS,
    SEND(true),
    RECEIVE,
    DELETE_MESSAGES,
    CHANGE_VISIBILITY,
    DEPTH,
    CONFIGURATION,
    DAMAGE;

    /** Whether the outcome is unknown when the answer is lost. The others can be repeated. */
    final boolean outcomeMatters;

    Call() {
        this(false);
    }

    Call(boolean outcomeMatters) {
        this.outcomeMatters = outcomeMatters;
    }
}
