package io.penstock.core.pool;

import io.penstock.core.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A part of a leaf that was read without the rest.
 *
 * @param page the part as a page of its own, which must be neither pooled nor written
 * @param low the lower bound of its keys; null when it is that of the leaf
 */
public record LeafPart(PageFrame page, @Nullable Bytes low) {}
