package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Review;
import io.penstock.Review.Proposal;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.UsageException;
import io.penstock.cli.transfer.JsonText;
import io.penstock.core.Bytes;
import java.io.PrintStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock review}: a curator's work; indexes, versions and expiry need the program's own types. */
@Command(
        name = "review",
        description = "Lists the proposals that wait for the curator of a collection, oldest first; approves or rejects"
                + " one.",
        sortOptions = false)
final class ReviewCommand extends StoreCommand {
    @Option(names = "--collection", paramLabel = "C", required = true, description = "the collection")
    private String collection = "";

    @Option(names = "--approve", paramLabel = "ID", description = "applies this proposal and removes it")
    private @Nullable String approved;

    @Option(names = "--regardless", description = "with --approve: also if the record changed since")
    private boolean regardless;

    @Option(names = "--reject", paramLabel = "ID", description = "keeps this proposal, for 30 days, as rejected")
    private @Nullable String rejected;

    @Option(names = "--reason", paramLabel = "TEXT", description = "with --reject: for its contributor")
    private @Nullable String reason;

    @Option(names = "--most", paramLabel = "N", description = "the most proposals that are listed; default: 100")
    private int most = 100;

    ReviewCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    Use use() {
        return approved == null && rejected == null ? Use.READ : Use.CHANGE;
    }

    @Override
    public Integer call() {
        if (approved != null && rejected != null || (rejected == null) != (reason == null)) {
            throw new UsageException("give --approve ID, or --reject ID with --reason TEXT, or none of them");
        }
        if (most < 1) {
            throw new UsageException("give --most a number from 1 on");
        }
        return super.call();
    }

    @Override
    boolean run(Penstock opened) {
        RecordCollection<Bytes, Bytes> raw = opened.rawCollection(collection);
        boolean any = opened.collections().contains(raw.name() + ".review");
        if (!any && use() == Use.READ) {
            print(List.of(), () -> out.println("none"));
            return true;
        }
        Review<Bytes, Bytes> review = Review.of(raw);
        String toApprove = approved;
        String toReject = rejected;
        if (toApprove != null) {
            approve(review, toApprove);
        } else if (toReject != null && reason != null) {
            review.reject(toReject, reason);
            print(Map.of("rejected", toReject), () -> out.println(toReject + " is rejected"));
        } else {
            list(review.pending(most));
        }
        return true;
    }

    private void approve(Review<Bytes, Bytes> review, String id) {
        if (regardless) {
            review.approveRegardless(id);
        } else {
            review.approve(id);
        }
        print(Map.of("approved", id), () -> out.println(id + " is approved, and applied"));
    }

    private void list(List<Proposal<Bytes, Bytes>> pending) {
        List<Map<String, Object>> all =
                pending.stream().map(ReviewCommand::members).toList();
        print(all, () -> {
            if (all.isEmpty()) {
                out.println("none");
            }
            all.forEach(each -> out.println(JsonText.of(each)));
        });
    }

    private static Map<String, Object> members(Proposal<Bytes, Bytes> proposal) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", proposal.id());
        members.put("by", proposal.by());
        members.put("at", proposal.at());
        members.put("key", text(proposal.key()));
        members.put("deletes", proposal.value().isEmpty());
        proposal.value().ifPresent(value -> members.put("value", text(value)));
        return members;
    }

    /** The bytes as text, if they are UTF-8; else in base64. */
    private static String text(Bytes bytes) {
        String text = bytes.toUtf8();
        return Bytes.utf8(text).equals(bytes)
                ? text
                : "base64:" + Base64.getEncoder().encodeToString(bytes.toArray());
    }
}
