package io.penstock.spring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

/**
 * A process of its own: a server that sells tickets, whose store is a bucket that another process serves. It answers
 * 200 with the number of the ticket, 409 when all are sold, and 500 for any other exception.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({PenstockAutoConfiguration.class, PenstockTransactionManagementAutoConfiguration.class})
class TicketServer {
    private static final int THREADS = 32;

    /** The shop, as any other of Spring. */
    static class Tickets {
        private final Records<String, Integer> left;
        private final Records<Long, String> sold;

        Tickets(PenstockTemplate store) {
            left = store.records("left", Keys.string(), Json.of(Integer.class));
            sold = store.records("sold", Keys.longs(), Json.of(String.class));
        }

        @Transactional
        public int sell(String buyer) {
            int number = left.get("tickets").orElseThrow();
            if (number == 0) {
                throw new IllegalStateException("sold out");
            }
            left.put("tickets", number - 1);
            sold.put((long) number, buyer);
            return number;
        }
    }

    /** The bucket of a directory whose owner is another process. */
    @Bean(destroyMethod = "close")
    LocalCloud cloud(@Value("${cloud}") String directory, Tasks tasks) {
        return LocalCloud.attach(Path.of(directory), tasks);
    }

    @Bean
    Tasks tasks() {
        return new ThreadTasks();
    }

    @Bean
    Settings settings(LocalCloud cloud, Tasks tasks) {
        return Settings.on(cloud.objects(), tasks);
    }

    @Bean
    Tickets tickets(PenstockTemplate store) {
        return new Tickets(store);
    }

    public static void main(String[] arguments) throws IOException {
        Tickets tickets = new SpringApplicationBuilder(TicketServer.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties("cloud=" + arguments[0])
                .run()
                .getBean(Tickets.class);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/", exchange -> answer(exchange, tickets));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
        System.out.flush();
    }

    private static void answer(HttpExchange exchange, Tickets tickets) throws IOException {
        int status = 200;
        String said;
        try {
            said = String.valueOf(tickets.sell(exchange.getRequestURI().getPath()));
        } catch (IllegalStateException refused) {
            status = 409;
            said = String.valueOf(refused.getMessage());
        } catch (RuntimeException failure) {
            status = 500;
            said = failure.toString();
        }
        byte[] body = said.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
