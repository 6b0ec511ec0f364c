package io.penstock.core.overflow;

import io.penstock.core.ClientId;

/** The identity of an overflow object, and its key. */
record OverflowName(String key, ClientId client, long number) {}
