package io.penstock.core.overflow;

import io.penstock.core.ClientId;

/** Which overflow object, and where it is kept. */
record OverflowName(String key, ClientId client, long number) {}
