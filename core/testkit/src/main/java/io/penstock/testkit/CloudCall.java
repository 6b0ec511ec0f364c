package io.penstock.testkit;

/** A kind of request to an object store or a queue. */
public enum CloudCall {
    /** A read of a whole object, or an answer that it has not changed. */
    GET,
    /** A read of a part of an object. */
    RANGE,
    /** A read of an object that is not there. */
    MISS,
    /** A write without a condition, or of a part of an upload. */
    PUT,
    /** A write if there is no object. */
    PUT_ABSENT,
    /** A write if the object is the one expected. */
    PUT_MATCH,
    /** A delete of one or many objects. */
    REMOVE,
    /** One page of a listing. */
    LIST,
    /** A send of a batch of messages. */
    SEND,
    /** A receive of a batch of messages, after there are any. */
    RECEIVE,
    /** A delete or change of visibility of a batch of messages. */
    ACKNOWLEDGE,
    /** Everything else of a queue: create, find, list, depth. */
    MANAGE;

    /** SQS bills a request once for each of these bytes. */
    private static final int SQS_UNIT_BYTES = 64 << 10;

    private static final double GIGA = 1e9;

    /** The price in dollars. */
    public double price(PriceList prices, long bytesIn, long bytesOut) {
        return switch (this) {
            case GET, RANGE, MISS -> prices.s3Get() + bytesOut / GIGA * prices.s3OutPerGb();
            case PUT, PUT_ABSENT, PUT_MATCH, LIST -> prices.s3Put() + bytesIn / GIGA * prices.s3InPerGb();
            case REMOVE -> 0;
            default ->
                prices.sqsUnit() * Math.max(1, Math.ceilDiv(Math.max(bytesIn, bytesOut), SQS_UNIT_BYTES))
                        + bytesIn / GIGA * prices.sqsInPerGb()
                        + bytesOut / GIGA * prices.sqsOutPerGb();
        };
    }
}
