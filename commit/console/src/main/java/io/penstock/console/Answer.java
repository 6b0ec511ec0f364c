package io.penstock.console;

/**
 * An answer of the console to a browser. Immutable.
 *
 * @param status of HTTP
 * @param type the content type
 * @param body is not to be changed
 */
public record Answer(int status, String type, byte[] body) {
    /** The content security policy of all answers: nothing is loaded but what the console has, and no script runs. */
    public static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";
}
