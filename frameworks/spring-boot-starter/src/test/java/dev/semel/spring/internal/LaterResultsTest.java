package dev.semel.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.ExecutionOrigin;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.junit.Patience;
import dev.semel.spring.Idempotent;
import dev.semel.spring.IdempotentRefused;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.test.AutoConfigureSemel;
import dev.semel.spring.test.SemelTestFixture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.context.request.async.DeferredResult;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** {@link Idempotent} on methods whose result arrives after their return. */
class LaterResultsTest {
  record Receipt(String text, int number) {}

  static class NoMoney extends Exception {
    private static final long serialVersionUID = 1L;

    NoMoney() {
      super("no money");
    }
  }

  /** The application's code; the test decides when and how it ends. */
  static class Payments {
    static final ThreadLocal<String> USER = new ThreadLocal<>();

    final AtomicInteger calls = new AtomicInteger();
    volatile CompletableFuture<Receipt> pending = new CompletableFuture<>();

    Receipt receipt(String text) {
      return new Receipt(text, calls.get());
    }

    @Idempotent(key = "#id", operation = "stage", finalFailures = NoMoney.class)
    public CompletionStage<Receipt> stage(String id) {
      calls.incrementAndGet();
      return pending;
    }

    @Idempotent(key = "#id")
    public CompletableFuture<String> seen(String id) {
      return CompletableFuture.completedFuture(USER.get() + " " + ExecutionOrigin.current().key());
    }

    @Idempotent(key = "#id")
    public CompletableFuture<Void> throwing(String id) {
      calls.incrementAndGet();
      throw new IllegalStateException("at once");
    }

    @Idempotent(key = "#id", operation = "mono", finalFailures = NoMoney.class)
    public Mono<Receipt> mono(String id) {
      return Mono.deferContextual(
          context -> {
            calls.incrementAndGet();
            return Mono.fromFuture(pending)
                .map(r -> new Receipt(r.text() + context.getOrDefault("who", ""), r.number()));
          });
    }

    @Idempotent(key = "#id")
    public Mono<Void> empty(String id) {
      return Mono.fromRunnable(calls::incrementAndGet);
    }
  }

  @AutoConfigureSemel
  static class Fixture {}

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(SemelAutoConfiguration.class))
          .withUserConfiguration(Fixture.class)
          .withBean(ObjectMapper.class, () -> JsonMapper.builder().build());

  /** The target without the proxy. */
  private final Payments behind = new Payments();

  private void with(Consumer<Payments> test) {
    runner
        .withBean(Payments.class, () -> behind)
        .run(context -> test.accept(context.getBean(Payments.class)));
  }

  private static <T> T get(CompletionStage<? extends @Nullable T> stage) {
    return Objects.requireNonNull(
        stage.toCompletableFuture().orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join());
  }

  private static void fails(CompletionStage<?> stage, Class<? extends Throwable> with) {
    assertThatThrownBy(() -> get(stage))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(with);
  }

  @Test
  void theKeyIsHeldUntilTheStageCompletesAndItsResultIsReplayed() {
    with(
        payments -> {
          CompletionStage<Receipt> first = payments.stage("1");
          assertThat(first.toCompletableFuture()).isNotDone();
          fails(payments.stage("1"), IdempotentRefused.InFlight.class);
          behind.pending.complete(behind.receipt("paid"));
          assertThat(get(first)).isEqualTo(new Receipt("paid", 1));
          assertThat(get(payments.stage("1"))).isEqualTo(new Receipt("paid", 1));
          assertThat(behind.calls).hasValue(1);
        });
  }

  @Test
  void aFailureThatComesLateIsOne() {
    with(
        payments -> {
          CompletionStage<Receipt> first = payments.stage("1");
          behind.pending.completeExceptionally(
              new CompletionException(new IllegalStateException("late")));
          fails(first, IllegalStateException.class);
          behind.pending = CompletableFuture.completedFuture(behind.receipt("paid"));
          assertThat(get(payments.stage("1")).text()).isEqualTo("paid");
          assertThat(behind.calls).hasValue(2);

          behind.pending = CompletableFuture.failedFuture(new NoMoney());
          fails(payments.stage("poor"), NoMoney.class);
          fails(payments.stage("poor"), IdempotentRefused.FailedBefore.class);
          assertThat(behind.calls).hasValue(3);

          fails(payments.throwing("1"), IllegalStateException.class);
          fails(payments.throwing("1"), IllegalStateException.class);
          assertThat(behind.calls).hasValue(5);
        });
  }

  /** Cancelling a future, or no longer waiting for it, does not stop its work. */
  @Test
  void whatWasCancelledIsInDoubt() {
    runner
        .withBean(Payments.class, () -> behind)
        .run(
            context -> {
              Payments payments = context.getBean(Payments.class);
              CompletionStage<Receipt> first = payments.stage("1");
              behind.pending.cancel(true);
              fails(first, EffectUnknown.class);
              context.getBean(SemelTestFixture.class).advance(Duration.ofSeconds(1));
              fails(payments.stage("1"), IdempotentRefused.InDoubt.class);
              assertThat(behind.calls).hasValue(1);
            });
  }

  @Test
  void theMethodRunsOnItsCallersThread() {
    with(
        payments -> {
          Payments.USER.set("alice");
          try {
            assertThat(get(payments.seen("1"))).startsWith("alice default/Payments.seen:1");
          } finally {
            Payments.USER.remove();
          }
        });
  }

  @Test
  void aMonoIsExecutedOncePerKeyHoweverOftenItIsSubscribedTo() {
    with(
        payments -> {
          Mono<Receipt> mono = payments.mono("1").contextWrite(context -> context.put("who", "!"));
          assertThat(behind.calls).as("before it is subscribed to").hasValue(0);
          CompletableFuture<@Nullable Receipt> first = mono.toFuture();
          await().until(() -> behind.calls.get() == 1);
          fails(mono.toFuture(), IdempotentRefused.InFlight.class);
          behind.pending.complete(behind.receipt("paid"));
          assertThat(get(first)).isEqualTo(new Receipt("paid!", 1));
          assertThat(get(mono.toFuture())).isEqualTo(new Receipt("paid!", 1));
          assertThat(get(payments.mono("1").toFuture())).isEqualTo(new Receipt("paid!", 1));
          assertThat(behind.calls).hasValue(1);

          assertThat(payments.empty("1").blockOptional()).isEqualTo(Optional.empty());
          assertThat(payments.empty("1").blockOptional()).isEqualTo(Optional.empty());
          assertThat(behind.calls).hasValue(2);
        });
  }

  @Test
  void aMonoThatFailsGivesItsKeyBack() {
    with(
        payments -> {
          behind.pending = CompletableFuture.failedFuture(new IllegalStateException("late"));
          fails(payments.mono("1").toFuture(), IllegalStateException.class);
          behind.pending = CompletableFuture.failedFuture(new NoMoney());
          fails(payments.mono("1").toFuture(), NoMoney.class);
          fails(payments.mono("1").toFuture(), IdempotentRefused.FailedBefore.class);
          assertThat(behind.calls).hasValue(2);
        });
  }

  /** The work may have taken effect already, so it goes on and is recorded. */
  @Test
  void whoeverCancelsItsSubscriptionDoesNotStopTheWork() {
    with(
        payments -> {
          Disposable subscription = payments.mono("1").subscribe();
          await().until(() -> behind.calls.get() == 1);
          subscription.dispose();
          behind.pending.complete(behind.receipt("paid"));
          Mono<Receipt> again =
              payments
                  .mono("1")
                  .retryWhen(
                      Retry.indefinitely().filter(e -> e instanceof IdempotentRefused.InFlight));
          assertThat(get(again.toFuture()).text()).isEqualTo("paid");
          assertThat(behind.calls).hasValue(1);
        });
  }

  /** Methods that can't be guarded. */
  static class Several {
    @Idempotent(key = "#id")
    public Flux<String> flux(String id) {
      return Flux.just(id);
    }
  }

  static class Waited {
    @Idempotent(key = "#id")
    public Future<String> future(String id) {
      return CompletableFuture.completedFuture(id);
    }
  }

  static class Published {
    @Idempotent(key = "#id")
    public Flow.Publisher<String> publisher(String id) {
      return subscriber -> {};
    }
  }

  static class Called {
    @Idempotent(key = "#id")
    public Callable<String> callable(String id) {
      return () -> id;
    }
  }

  static class Supplied {
    @Idempotent(key = "#id")
    public Supplier<String> supplier(String id) {
      return () -> id;
    }
  }

  static class Streamed {
    @Idempotent(key = "#id")
    public Stream<String> stream(String id) {
      return Stream.of(id);
    }
  }

  static class Deferred {
    @Idempotent(key = "#id")
    public DeferredResult<String> deferred(String id) {
      return new DeferredResult<>();
    }
  }

  static class Detached {
    @Async
    @Idempotent(key = "#id")
    public void detached(String id) {}
  }

  static class InTransaction {
    @Idempotent(key = "#id", mode = Idempotent.Mode.SAME_TRANSACTION)
    public CompletableFuture<String> inTransaction(String id) {
      return CompletableFuture.completedFuture(id);
    }
  }

  @Test
  void whatCannotBeGuardedIsRefusedAtTheStartByItsName() {
    for (Class<?> bean :
        List.of(
            Several.class,
            Waited.class,
            Published.class,
            Called.class,
            Supplied.class,
            Streamed.class,
            Deferred.class,
            Detached.class,
            InTransaction.class)) {
      runner
          .withBean(bean)
          .run(
              context -> {
                assertThat(context).as(bean.getSimpleName()).hasFailed();
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("@Idempotent on " + bean.getSimpleName() + ".");
              });
    }
  }
}
