package io.penstock.commit.upkeep;

import io.penstock.commit.client.ServerClock;
import io.penstock.commit.engine.Lane;
import io.penstock.commit.engine.NamedObjects;
import io.penstock.commit.engine.StoreTrees;
import java.util.List;

/**
 * The contents of a store as maintenance walks over them. Safe for use by many threads.
 *
 * @param lane through which objects are listed
 * @param named the kinds of objects that leaves name besides records
 */
public record StoreContents(StoreTrees trees, Lane lane, ServerClock serverClock, List<NamedObjects> named) {}
