package io.penstock.bookstore;

import io.penstock.Session;
import io.penstock.Settings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

/** Running shops of 100 books. */
final class Shops {
    static final Map<String, String> PERSON = Map.of(
            "firstName",
            "Ada",
            "lastName",
            "Byron",
            "street",
            "Main Street 1",
            "city",
            "Ghent",
            "state",
            "East",
            "zip",
            "9000",
            "phone",
            "12",
            "email",
            "ada@example.org");

    static final Map<String, String> PAYMENT =
            Map.of("card", "VISA", "number", "4111", "name", "Ada", "ship", "AIR", "comment", "For Bela");

    private Shops() {}

    /** A shop by properties alone, each as {@code --name=value}. */
    static ConfigurableApplicationContext open(String... properties) {
        return new SpringApplicationBuilder(Bookstore.class)
                .environment(withoutSystemProperties())
                .run(all(properties));
    }

    /** Another server of the shop in these settings' store; servers of one key take each other's visitors. */
    static ConfigurableApplicationContext open(Settings settings, String key) {
        Session.Tokens tokens =
                Session.Tokens.signed(key.getBytes(StandardCharsets.UTF_8)).orAnew();
        return new SpringApplicationBuilder(Bookstore.class)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean(Settings.class, () -> settings.tokens(tokens)))
                .run(all());
    }

    /** Maven's own properties of tests begin with {@code penstock.}, and the starter would take them for settings. */
    private static ConfigurableEnvironment withoutSystemProperties() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        return environment;
    }

    private static String[] all(String... properties) {
        return Stream.concat(Stream.of("--server.port=0", "--shop.items=100"), Stream.of(properties))
                .toArray(String[]::new);
    }

    static URI address(ConfigurableApplicationContext shop) {
        return URI.create("http://127.0.0.1:" + shop.getEnvironment().getProperty("local.server.port"));
    }

    /** Signs in a customer of the population, whose password is the name in small letters, and buys the cart. */
    static String buy(Browser browser, String user) {
        browser.submit("/buy", Map.of("userName", user, "password", user.toLowerCase(Locale.ROOT)));
        return Browser.found(
                "id=\"order\">(\\d+)<", browser.submit("/confirm", PAYMENT).body());
    }

    /** The page of a customer's last order. */
    static String lastOrder(Browser browser, String user) {
        return browser.submit("/order", Map.of("userName", user, "password", user.toLowerCase(Locale.ROOT)))
                .body();
    }
}
