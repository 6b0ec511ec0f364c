package io.penstock.commit.session;

import io.penstock.core.Bytes;

/**
 * What a record holds, as a page, an overlay or a write set has it: a payload, or the reference to one. Immutable.
 *
 * @param bytes the payload, or an encoded {@link io.penstock.core.overflow.OverflowReference}
 */
record Content(Bytes bytes, boolean isReference) {}
