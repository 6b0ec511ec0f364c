package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.process.Orders;
import io.penstock.bench.process.Wire;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.figures.Tally;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A client process of a comparison: some of its clients, under the orders of the driver. It ends at once when the
 * driver does.
 */
public final class ClientProgram {
    /** The orders after the assignment. */
    static final String SHOP = "shop";

    static final String CLOSE = "close";

    private final Orders orders;
    private final PrintStream out;

    /** @param out takes one {@link ClientReport} a line, and nothing else */
    private ClientProgram(Orders orders, PrintStream out) {
        this.orders = orders;
        this.out = out;
    }

    /** Takes no arguments: the assignment is the first line of the input. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.exit(new ClientProgram(Orders.from(System.in), out).run() ? 0 : 1);
    }

    /** Carries out one assignment; returns whether it succeeded. */
    private boolean run() {
        Assignment assignment = Wire.read(orders.next(), Assignment.class);
        try (AwsSite site = new AwsSite(assignment.servers(), assignment.prefix(), 1)) {
            Shoppers shoppers = new Shoppers(site, assignment.scenario(), assignment.level(), assignment.range());
            say(new ClientReport.Ready());
            expect(SHOP);
            tell(shoppers.shop(new Advances()));
            expect(CLOSE);
            Shift closing = shoppers.close();
            say(new ClientReport.Closed(closing.checkpoint(), closing.notes()));
            return true;
        } catch (StoreException e) {
            say(new ClientReport.Broken(String.valueOf(e.getMessage()), e instanceof InvalidRequestException));
            return false;
        }
    }

    private void tell(Shift shift) {
        Tally tally = shift.tally();
        List<Tally.Acknowledged> acknowledged = tally.acknowledged();
        for (int i = 0; i < acknowledged.size(); i++) {
            Tally.Acknowledged one = acknowledged.get(i);
            say(new ClientReport.Acknowledged(
                    one.purchase(), one.stamp(), tally.nanos().get(i)));
        }
        tally.unknown().forEach(purchase -> say(new ClientReport.Unknown(purchase)));
        say(new ClientReport.Shopped(tally.failures(), shift.transaction()));
    }

    private void say(ClientReport report) {
        // One call, so that lines of several threads do not mix.
        out.print(Wire.write(report) + "\n");
        out.flush();
    }

    private void expect(String order) {
        String next = orders.next();
        if (!next.equals(order)) {
            throw new IllegalStateException("expected the order " + order);
        }
    }

    /** Reports the progress of the purchases to the driver. */
    private final class Advances implements Progress {
        @Override
        public void begin(String title, long steps) {}

        @Override
        public void advance(long steps) {
            say(new ClientReport.Advanced(steps));
        }

        @Override
        public void end() {}
    }
}
