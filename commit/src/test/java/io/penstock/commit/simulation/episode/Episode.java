package io.penstock.commit.simulation.episode;

import java.util.List;

/**
 * A short run on servers of its own, beside the main run of a seed: many clients, a deep queue, queues of others, a
 * local store. Its weather is calm, so that requests and times can be bounded.
 */
interface Episode {
    /** The name of the promise that it checks. */
    String promise();

    /** Plays it; returns how the promise was broken, a line each. */
    List<String> play(Stage stage);
}
