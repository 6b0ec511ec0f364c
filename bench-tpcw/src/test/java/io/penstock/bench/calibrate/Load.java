package io.penstock.bench.calibrate;

import io.penstock.testkit.CloudCall;
import io.penstock.testkit.PriceList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Calls of one kind and size.
 *
 * @param underWay calls at a time
 * @param count calls that are measured; before them, each of those that call makes one more
 */
record Load(CloudCall call, int bytes, int underWay, int count) {
    static final List<Integer> SIZES = List.of(1 << 10, 64 << 10, 1 << 20);
    static final int MESSAGE_BYTES = 100;

    private static final List<Integer> UNDER_WAY = List.of(1, 8, 64);
    private static final int CALLS_EACH_MIN = 4;

    /**
     * Returns what is measured, in an order in which what is removed or received was made before.
     *
     * @param requests of each load; more where so many are under way that these were few for each
     */
    static List<Load> all(int requests, boolean queued) {
        List<Load> all = new ArrayList<>();
        for (int n : UNDER_WAY) {
            int count = Math.max(requests, CALLS_EACH_MIN * n);
            for (int bytes : SIZES) {
                all.add(new Load(CloudCall.PUT_ABSENT, bytes, n, count));
                if (bytes == SIZES.getFirst()) {
                    all.add(new Load(CloudCall.REMOVE, 0, n, count));
                }
                Stream.of(CloudCall.PUT_MATCH, CloudCall.GET, CloudCall.RANGE)
                        .forEach(call -> all.add(new Load(call, bytes, n, count)));
            }
            all.add(new Load(CloudCall.MISS, 0, n, count));
            all.add(new Load(CloudCall.LIST, 0, n, count));
            if (queued) {
                all.add(new Load(CloudCall.SEND, MESSAGE_BYTES, n, count));
                all.add(new Load(CloudCall.RECEIVE, MESSAGE_BYTES, n, count));
                all.add(new Load(CloudCall.ACKNOWLEDGE, 0, n, count));
            }
        }
        return all;
    }

    int requests() {
        return count + underWay;
    }

    double dollars(PriceList prices) {
        return requests() * call.price(prices, bytes, bytes);
    }
}
