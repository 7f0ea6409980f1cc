package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertSources;
import dev.semel.alert.AlertWatch;
import dev.semel.event.Event;
import dev.semel.event.EventStore;
import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.ConsumerInbox;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.job.Cron;
import dev.semel.job.CronSchedule;
import dev.semel.job.CronSettings;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.JobQueue;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.loop.LoopFailures;
import dev.semel.loop.Platform;
import dev.semel.outbox.OutboxStore;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.Subscription;
import dev.semel.transport.Transport;
import dev.semel.webhook.EventFeed;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every background loop, with a component that throws: there is a line, an event and a count. */
final class BackgroundLoopsTest {
  private static final List<Event> EVENTS = new CopyOnWriteArrayList<>();
  private static final List<String> LINES = new CopyOnWriteArrayList<>();
  private static final Logger LOGGER = Logger.getLogger("dev.semel.loop");
  private static final Handler HANDLER =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          LINES.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private static final ProcessEvents.Listening LISTENING = ProcessEvents.listen(EVENTS::add);

  @BeforeAll
  static void listen() {
    LOGGER.addHandler(HANDLER);
  }

  @AfterAll
  static void stop() {
    LOGGER.removeHandler(HANDLER);
    LISTENING.close();
  }

  /** Starts a loop whose component throws. */
  interface Started {
    AutoCloseable start() throws Exception;
  }

  record Case(String loop, Started started) {
    @Override
    public String toString() {
      return loop;
    }
  }

  /** Answers every call with a bug. */
  private static <T> T broken(Class<T> type) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "toString", "describe" -> "broken";
              case "hashCode" -> 1;
              case "equals" -> false;
              case "positions" -> Optional.empty();
              case "onBell" -> (AutoCloseable) () -> {};
              case "close", "leave" -> null;
              default -> throw new IllegalStateException("a bug in " + method.getName());
            };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A store of which one part is broken. */
  private static Store with(String part, Object broken) {
    MemoryStore real = new MemoryStore(InstantSource.system());
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getName().equals(part) ? broken : method.invoke(real, arguments);
    return (Store)
        Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, handler);
  }

  static Stream<Case> loops() {
    Operation exports = new Operation("exports");
    return Stream.of(
        new Case(
            "semel-upkeep",
            () ->
                new Idempotency(with("settings", broken(SettingsStore.class)), SemelListener.NONE)),
        new Case(
            "semel-alerts",
            () ->
                AlertWatch.start(
                    Platform.REAL,
                    AlertSources.of(with("statistics", broken(StatisticsStore.class))),
                    AlertSettings.defaults(),
                    alert -> {})),
        new Case(
            "semel-event-feed",
            () ->
                EventFeed.start(
                    Platform.REAL,
                    broken(EventStore.class),
                    new EventFeed.Filter(EventFeed.Filter.DUPLICATES, Set.of()),
                    line -> {})),
        new Case(
            "semel-relay",
            () ->
                Relay.start(
                    broken(OutboxStore.class), broken(Transport.class), RelaySettings.defaults())),
        new Case(
            "semel-consumer",
            () ->
                MessageConsumer.start(
                    "broken",
                    broken(Subscription.class),
                    broken(ConsumerInbox.class),
                    broken(DeadLetters.class),
                    ConsumerSettings.defaults())),
        new Case("semel-jobs-exports", () -> processor(exports)),
        new Case("semel-jobs-exports-keeps", () -> processor(exports)),
        new Case(
            "semel-cron-exports",
            () -> {
              Idempotency idempotency =
                  new Idempotency(
                      with("idempotency", broken(IdempotencyStore.class)), SemelListener.NONE);
              return Cron.start(
                  exports,
                  CronSchedule.every(Duration.ofSeconds(1)),
                  CronSettings.defaults(),
                  idempotency,
                  (slot, execution) -> {});
            }));
  }

  private static AutoCloseable processor(Operation operation) {
    Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), SemelListener.NONE);
    return ExactlyOnceProcessor.start(
        new Jobs(broken(JobQueue.class), idempotency.upkeep()),
        idempotency,
        operation,
        (job, execution) -> {},
        ProcessorSettings.defaults());
  }

  @ParameterizedTest
  @MethodSource("loops")
  void aFailureIsLoggedCountedAndAnEvent(Case tried) throws Exception {
    long before = LoopFailures.count(tried.loop);
    AutoCloseable started = tried.started.start();
    try {
      await().until(() -> LoopFailures.count(tried.loop) > before);
      await()
          .untilAsserted(
              () -> {
                assertThat(LINES).anyMatch(line -> line.contains(tried.loop + " failed"));
                assertThat(EVENTS)
                    .anyMatch(e -> e instanceof Event.LoopFailed f && f.loop().equals(tried.loop));
              });
    } finally {
      try {
        started.close();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("a bug in"); // it closes what is broken, too
      }
    }
  }
}
