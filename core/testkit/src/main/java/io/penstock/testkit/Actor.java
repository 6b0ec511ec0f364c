package io.penstock.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread of control in a simulation: a virtual thread that runs only while it is the simulation's current actor.
 *
 * <p>Only the running actor touches the fields of any actor, so they need no lock; {@link #turn} hands control over and
 * publishes them.
 */
final class Actor {
    final String name;
    final SimulatedClient client;
    private final Runnable body;

    /** True from the moment this actor may run until it runs. */
    private volatile boolean turn;

    private @Nullable Thread thread;

    /** Counts waits; a wake-up for an earlier wait is void. */
    long waits;

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Whether this is a thread of the program that uses the library, and not one that the library has started. */
    boolean interruptible;

    boolean interrupted;

    /** The number of shields around what this actor does now; an interrupt does not pass one. */
    int shields;

    /** Whether this actor waits for a promise or for time to pass: an interrupt ends these waits. */
    boolean waiting;

    boolean stopped;
    boolean finished;

    Actor(String name, SimulatedClient client, Runnable body) {
        this.name = name;
        this.client = client;
        this.body = body;
    }

    /** Resumes this actor. The caller must stop running right after. */
    void resume() {
        Thread running = thread;
        if (running == null) {
            // Assigned before it starts: the body may hand control on before start() returns.
            Thread fresh = Thread.ofVirtual().name(name).unstarted(body);
            thread = fresh;
            fresh.start();
            return;
        }
        turn = true;
        LockSupport.unpark(running);
    }

    /** Parks the calling thread, which must be this actor's, until {@link #resume}. */
    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
    }

    /** Whether an interrupt ends the wait that this actor begins now. */
    boolean mustNotWait() {
        return interrupted && shields == 0;
    }

    boolean started() {
        return thread != null;
    }

    /** Ends the actor; called by itself as its last act. */
    void finish() {
        finished = true;
        ended.countDown();
    }

    /** Waits, on an ordinary thread, for {@link #finish}. */
    void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
