package io.penstock.commit.client;

import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Tasks whose wall clock is the servers', as known from their answers: a step of this machine's clock does not show.
 * For decisions by age that cannot ask a server before each of them, such as the purge of tombstones.
 */
public record ServerTimeTasks(Tasks tasks, ServerClock clock) implements Tasks {
    @Override
    public long nowMillis() {
        return clock.nowMillis();
    }

    @Override
    public long nanoTime() {
        return tasks.nanoTime();
    }

    @Override
    public void sleep(Duration duration) {
        tasks.sleep(duration);
    }

    @Override
    public <T> Task<T> fork(String name, Supplier<T> body) {
        return tasks.fork(name, body);
    }

    @Override
    public void startAfter(Duration pause, String name, Runnable body) {
        tasks.startAfter(pause, name, body);
    }

    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        return tasks.uninterruptibly(name, body);
    }

    @Override
    public <T> T lent(Supplier<T> body) {
        return tasks.lent(body);
    }

    @Override
    public <T> Promise<T> promise() {
        return tasks.promise();
    }

    @Override
    public RandomGenerator random() {
        return tasks.random();
    }
}
