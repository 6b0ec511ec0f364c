package io.penstock.cli;

import io.penstock.cli.doctor.Doctor;
import io.penstock.cli.doctor.Finding;
import io.penstock.cli.program.Shell;
import io.penstock.cli.transfer.JsonText;
import io.penstock.core.StoreException;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock doctor}. */
@Command(
        name = "doctor",
        description = {
            "Examines a store and its place, check by check, and says what to do. Changes nothing in the store.",
            "Exits with 1 if a check failed, else with 4 if there is no store."
        },
        sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--probe",
            description = "also tries rights and conditional puts: writes some objects in a folder of their own, makes"
                    + " three queues, and removes them")
    private boolean probe;

    @Option(names = "--json", description = "prints one JSON array")
    private boolean json;

    private final PrintStream out;

    DoctorCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        List<Finding> found = examine();
        if (json) {
            out.println(JsonText.of(found.stream().map(Finding::members).toList()));
        } else {
            found.forEach(each -> out.println(each.line()));
        }
        Set<Finding.Outcome> outcomes = found.stream().map(Finding::outcome).collect(Collectors.toSet());
        if (outcomes.contains(Finding.Outcome.FAILED)) {
            return Shell.FAILED;
        }
        return outcomes.contains(Finding.Outcome.ABSENT) ? Shell.NO_STORE : Shell.DONE;
    }

    private List<Finding> examine() {
        try {
            return store.visit(place -> new Doctor(place, store.complete(place.settings())).run(probe));
        } catch (StoreException failure) {
            return switch (failure.code()) {
                // Not of the servers, but of the command line.
                case NO_PLACE, TWO_PLACES, INVALID_SETTING, STORE_NOT_FOUND -> throw failure;
                default -> List.of(Finding.failed("object store", failure));
            };
        }
    }
}
