package io.penstock.console;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The pages of an open store. They change nothing, whether or not the handle could. They show keys and payloads: who
 * may ask for them may read the store. Safe for use by many threads.
 */
public final class Console {
    private final Penstock store;
    private final Settings settings;
    private final String name;

    /**
     * @param settings with which the store was opened
     * @param name of the store, for people
     */
    public Console(Penstock store, Settings settings, String name) {
        this.store = store;
        this.settings = settings;
        this.name = name;
    }

    /**
     * Answers a request. Throws nothing that the store does.
     *
     * @param root the address of the console, relative to that of the page; with a slash at its end, unless empty
     * @param path of the page within the console, decoded part by part; empty for its first page
     */
    public Answer answer(String root, List<String> path) {
        String section = path.isEmpty() ? "overview" : path.getFirst();
        Frame frame = new Frame(root, section, name, settings.level().name());
        try {
            return switch (section) {
                case "style.css" -> resource("style.css", "text/css;charset=utf-8");
                case "icon.svg" -> resource("icon.svg", "image/svg+xml");
                default -> page(frame, path.isEmpty() ? path : path.subList(1, path.size()));
            };
        } catch (InvalidRequestException none) {
            return failed(frame, 404, "Not found", none);
        } catch (StoreException failure) {
            return failed(frame, 503, "The store cannot tell", failure);
        }
    }

    private Answer page(Frame frame, List<String> rest) {
        return switch (frame.section()) {
            case "collections" -> new CollectionPages(store, frame).answer(rest);
            case "logs" -> new LogPages(store, frame).answer(rest);
            case "quarantine" -> new StatePages(store, settings, frame).quarantine(rest);
            default -> {
                StatePages pages = new StatePages(store, settings, frame);
                yield switch (rest.isEmpty() ? frame.section() : "") {
                    case "overview" -> pages.overview();
                    case "clients" -> pages.clients();
                    case "backlog" -> pages.backlog();
                    case "cost" -> pages.cost();
                    default -> throw noPage();
                };
            }
        };
    }

    static InvalidRequestException noPage() {
        return new InvalidRequestException(
                ErrorCode.NOT_FOUND, "the console has no such page; begin at the overview, or check the address");
    }

    private static Answer failed(Frame frame, int status, String heading, StoreException failure) {
        return frame.page(status, heading, reason(failure));
    }

    /** One line that says what the store says. */
    static Html reason(StoreException failure) {
        String message = String.valueOf(failure.getMessage());
        return Html.of(
                "p",
                Html.text(message.substring(0, 1).toUpperCase(Locale.ROOT) + message.substring(1) + " "),
                Html.of("code", failure.code().name()));
    }

    private static Answer resource(String name, String type) {
        try (InputStream in = Objects.requireNonNull(Console.class.getResourceAsStream(name))) {
            return new Answer(200, type, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
