package io.penstock;

import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Random;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A machine whose first random numbers repeat another's, as those of a clone may. */
public final class TwinTasks implements Tasks {
    private final Tasks machine;
    private final Random shared;
    private int left;

    /** @param draws the number of draws that are the same for all machines of one {@code seed} */
    public TwinTasks(Tasks machine, long seed, int draws) {
        this.machine = machine;
        this.shared = new Random(seed);
        this.left = draws;
    }

    @Override
    public RandomGenerator random() {
        if (left == 0) {
            return machine.random();
        }
        left--;
        return shared;
    }

    @Override
    public long nowMillis() {
        return machine.nowMillis();
    }

    @Override
    public long nanoTime() {
        return machine.nanoTime();
    }

    @Override
    public void sleep(Duration duration) {
        machine.sleep(duration);
    }

    @Override
    public <T> Task<T> fork(String name, Supplier<T> body) {
        return machine.fork(name, body);
    }

    @Override
    public <T> T uninterruptibly(String name, Supplier<T> body) {
        return machine.uninterruptibly(name, body);
    }

    @Override
    public <T> Promise<T> promise() {
        return machine.promise();
    }
}
