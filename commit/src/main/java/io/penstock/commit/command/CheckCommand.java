package io.penstock.commit.command;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock check}. */
@Command(
        name = "check",
        description =
                "Walks every tree and lists what is wrong; exits with 1 if anything is. Run it when nobody writes.",
        sortOptions = false)
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final PrintStream out;

    CheckCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        List<String> wrong = new ArrayList<>();
        store.open(settings -> settings.readOnly(true), opened -> wrong.addAll(opened.check()));
        wrong.forEach(out::println);
        out.println(wrong.isEmpty() ? "all trees are sound" : wrong.size() + " violations");
        return wrong.isEmpty() ? PenstockCommand.DONE : PenstockCommand.FAILED;
    }
}
