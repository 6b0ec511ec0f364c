package io.penstock.commit.engine;

import io.penstock.commit.catalog.Catalog;
import io.penstock.core.memory.Workspace;
import java.util.function.Function;

/**
 * The trees of a store, by the pools that read them. Safe for use by many threads.
 *
 * @param catalog that names the trees
 * @param foreground the trees as transactions read and write them
 * @param background the trees as checkpoints and maintenance do
 * @param fresh gives the trees by a new, empty pool of a given memory, in bytes: nothing that is read through it is
 *     from before that call
 */
public record StoreTrees(Catalog catalog, Trees foreground, Trees background, Function<Workspace, Trees> fresh) {}
