package io.penstock.core.meter;

/** The kinds of requests that servers bill. */
public enum Operation {
    S3_GET("s3.get", Service.S3),
    S3_PUT("s3.put", Service.S3),
    S3_DELETE("s3.delete", Service.S3),
    S3_LIST("s3.list", Service.S3),
    SQS_SEND("sqs.send", Service.SQS),
    SQS_RECEIVE("sqs.receive", Service.SQS),
    SQS_DELETE("sqs.delete", Service.SQS),
    /** Visibility, depth, and creating, finding, listing and removing queues. */
    SQS_OTHER("sqs.other", Service.SQS);

    private final String tag;
    private final Service service;

    Operation(String tag, Service service) {
        this.tag = tag;
        this.service = service;
    }

    /** The value of a meter's tag {@code op}. */
    public String tag() {
        return tag;
    }

    public Service service() {
        return service;
    }

    /** The service that answers. */
    public enum Service {
        S3("s3"),
        SQS("sqs");

        private final String tag;

        Service(String tag) {
            this.tag = tag;
        }

        /** The value of a meter's tag {@code service}. */
        public String tag() {
            return tag;
        }
    }
}
