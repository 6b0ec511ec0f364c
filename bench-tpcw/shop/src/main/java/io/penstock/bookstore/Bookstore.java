package io.penstock.bookstore;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.bookstore.ShopServer;
import io.penstock.bench.tpcw.bookstore.Storefront;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The application, by Spring's properties alone; {@link ServeCommand} gives it these by options. */
@SpringBootApplication
public class Bookstore {
    private static final long SEED = 1;
    private static final String[] FILES = {"/webjars/**", "/shop.css"};

    public static void main(String[] arguments) {
        SpringApplication.run(Bookstore.class, arguments);
    }

    @Bean
    Tasks tasks() {
        return new ThreadTasks();
    }

    @Bean
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }

    @Bean
    Scale scale(@Value("${shop.items}") int items) {
        return new Scale(1, items);
    }

    /** The server of the shop's store, which is filled first if it is empty. */
    @Bean
    ShopServer shopServer(Penstock store, Tasks tasks, Scale scale) {
        Loader loader = new Loader(store, Storefront.open(store).tables(), rows -> {});
        if (loader.isEmpty()) {
            loader.loadInBulk(new ReadablePopulation(SEED, scale));
        }
        return new ShopServer(store, tasks);
    }

    @Bean
    WebMvcConfigurer guarded(Guard guard) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(guard).excludePathPatterns(FILES);
            }
        };
    }
}
