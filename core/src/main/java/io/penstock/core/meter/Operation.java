package io.penstock.core.meter;

/** The kinds of requests that servers bill. */
public enum Operation {
    S3_GET("s3.get", Service.S3, 0.4e-6),
    S3_PUT("s3.put", Service.S3, 5e-6),
    S3_DELETE("s3.delete", Service.S3, 0),
    S3_LIST("s3.list", Service.S3, 5e-6),
    SQS_SEND("sqs.send", Service.SQS, 0.4e-6),
    SQS_RECEIVE("sqs.receive", Service.SQS, 0.4e-6),
    SQS_DELETE("sqs.delete", Service.SQS, 0.4e-6),
    /** Visibility, depth, and creating, finding, listing and removing queues. */
    SQS_OTHER("sqs.other", Service.SQS, 0.4e-6);

    private final String tag;
    private final Service service;
    private final double dollars;

    Operation(String tag, Service service, double dollars) {
        this.tag = tag;
        this.service = service;
        this.dollars = dollars;
    }

    /** The value of a meter's tag {@code op}. */
    public String tag() {
        return tag;
    }

    public Service service() {
        return service;
    }

    /**
     * The list price of one request to S3 Standard, or of one {@link RequestMeters#SQS_UNIT_BYTES unit} of a standard
     * queue, in us-east-1 in 2026, from within the region ({@code docs/PROFILES.md}).
     */
    public double dollars() {
        return dollars;
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
