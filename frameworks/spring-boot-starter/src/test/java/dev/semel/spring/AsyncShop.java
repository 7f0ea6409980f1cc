package dev.semel.spring;

import dev.semel.idempotency.Execution;
import dev.semel.servlet.IdempotencyFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

/** An application whose controllers answer from other threads than the request's. */
final class AsyncShop {
  private AsyncShop() {}

  /** Runs in a separate process, which a test kills. */
  public static void main(String[] arguments) {
    SpringApplication.run(App.class, arguments);
  }

  /** Without a component scan, which would find the controllers below. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {
    @Bean
    Till till(JdbcTemplate jdbc, @Value("${shop.folder}") Path folder) {
      return new Till(jdbc, folder);
    }

    @Bean
    @ConditionalOnBooleanProperty("shop.async")
    Declared declared(Till till) {
      return new Declared(till);
    }

    @Bean
    Payments payments(Till till) {
      return new Payments(till);
    }

    @Bean
    Orders orders(Payments payments) {
      return new Orders(payments);
    }

    @Bean
    ByHand byHand(Till till) {
      return new ByHand(till);
    }
  }

  /** Charges, and then blocks while a file exists. */
  static final class Till {
    private final JdbcTemplate jdbc;
    private final Path folder;

    Till(JdbcTemplate jdbc, Path folder) {
      this.jdbc = jdbc;
      this.folder = folder;
    }

    String charge(String what) {
      jdbc.update("INSERT INTO charge (what) VALUES (?)", what);
      if (Files.exists(folder.resolve("stop"))) {
        try {
          Files.createFile(folder.resolve("stopped"));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        while (true) {
          Thread.onSpinWait(); // the parent kills this process here
        }
      }
      return "charged " + count(what);
    }

    long count(String what) {
      Long count =
          jdbc.queryForObject("SELECT count(*) FROM charge WHERE what = ?", Long.class, what);
      return count == null ? 0 : count;
    }
  }

  /** Methods with {@code @Idempotent}. */
  static class Payments {
    private final Till till;

    Payments(Till till) {
      this.till = till;
    }

    @Idempotent(key = "#order")
    public CompletableFuture<String> stage(String order) {
      return CompletableFuture.supplyAsync(() -> till.charge(order));
    }

    @Idempotent(key = "#order")
    public Mono<String> mono(String order) {
      return Mono.fromCallable(() -> till.charge(order));
    }
  }

  /** Controllers that don't know keys. */
  @RestController
  static class Orders {
    private final Payments payments;

    Orders(Payments payments) {
      this.payments = payments;
    }

    @PostMapping("/orders/stage")
    CompletableFuture<String> stage() {
      return payments.stage("order-1");
    }

    @PostMapping("/orders/mono")
    Mono<String> mono() {
      return payments.mono("order-2");
    }

    @ExceptionHandler(IdempotentRefused.class)
    ResponseEntity<String> refused(IdempotentRefused refused) {
      return ResponseEntity.status(409).body(refused.getClass().getSimpleName());
    }
  }

  /** Handlers whose return type shows that they are asynchronous. */
  @RestController
  static class Declared {
    private final Till till;

    Declared(Till till) {
      this.till = till;
    }

    @PostMapping("/future")
    CompletableFuture<String> future() {
      return CompletableFuture.supplyAsync(() -> till.charge("future"));
    }

    @PostMapping("/callable")
    Callable<String> callable() {
      return () -> till.charge("callable");
    }

    @PostMapping("/deferred")
    DeferredResult<String> deferred(HttpServletRequest request) {
      DeferredResult<String> answer = new DeferredResult<>();
      Execution execution = IdempotencyFilter.execution(request).orElseThrow();
      ForkJoinPool.commonPool()
          .execute(() -> answer.setResult(till.charge("deferred") + ", held " + execution.held()));
      return answer;
    }

    @PostMapping("/streaming")
    StreamingResponseBody streaming() {
      return out -> out.write(till.charge("streaming").getBytes(StandardCharsets.UTF_8));
    }

    @PostMapping("/failing")
    CompletableFuture<String> failing(@RequestParam("fails") boolean fails) {
      return CompletableFuture.supplyAsync(
          () -> {
            String charged = till.charge("failing");
            if (fails) {
              throw new IllegalStateException("late");
            }
            return charged;
          });
    }
  }

  /** Handlers that are asynchronous without any sign in their type. */
  @RestController
  static class ByHand {
    private final Till till;

    ByHand(Till till) {
      this.till = till;
    }

    @PostMapping("/by-hand")
    void byHand(HttpServletRequest request) {
      AsyncContext async = request.startAsync();
      async.start(
          () -> {
            try {
              async.getResponse().getOutputStream().print(till.charge("by-hand"));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            async.complete();
          });
    }

    /** One mapping for several paths, of which only some are guarded. */
    @PostMapping("/future-of/{what}")
    CompletableFuture<String> futureOf(@PathVariable("what") String what) {
      return CompletableFuture.supplyAsync(() -> till.charge(what));
    }

    @PostMapping("/plain")
    String plain() {
      return till.charge("plain");
    }
  }
}
