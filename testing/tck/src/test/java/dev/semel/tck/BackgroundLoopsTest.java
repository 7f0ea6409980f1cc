package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertSources;
import dev.semel.alert.AlertWatch;
import dev.semel.event.EventLine;
import dev.semel.event.SemelListener;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.job.Cron;
import dev.semel.job.CronSchedule;
import dev.semel.job.CronSettings;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.job.spi.JobQueue;
import dev.semel.loop.Platform;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.SharedStreams;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerListener;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.internal.BatchTransport;
import dev.semel.stream.internal.shared.LogTransition;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.SharedLog;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.PartitionShare;
import dev.semel.transport.spi.Subscription;
import dev.semel.webhook.Webhook;
import dev.semel.webhook.WebhookSender;
import dev.semel.webhook.WebhookSettings;
import dev.semel.webhook.internal.EventFeed;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every background loop of core, with a component that throws: there is a line, an event and a
 * count.
 */
final class BackgroundLoopsTest {
  /** In a log, so many that a checkpoint is due. */
  private static final long MESSAGES = 1_000_000;

  @TempDir static Path folder;

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

  /** Answers what is asked before the first turn, and every other call with a bug. */
  private static <T> T broken(Class<T> type) {
    return Broken.of(
        type,
        Map.of(
            "describe",
            () -> "broken",
            "positions",
            Optional::empty,
            "onBell",
            () -> (AutoCloseable) () -> {},
            "leave",
            () -> ""));
  }

  /** A store of which one part is broken. */
  private static Store with(String part, Object broken) {
    return but(Store.class, new MemoryStore(InstantSource.system()), part, () -> broken);
  }

  /** One whose calls of this name are answered otherwise. */
  private static <T> T but(Class<T> type, T real, String name, Callable<?> answer) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getName().equals(name) ? answer.call() : method.invoke(real, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static IllegalStateException bug() {
    return new IllegalStateException("a bug in the test");
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
            }),
        new Case("semel-renewals", BackgroundLoopsTest::renewals),
        new Case("semel-consumer-extends", BackgroundLoopsTest::extending),
        new Case("semel-lanes", BackgroundLoopsTest::partitions),
        new Case("semel-webhook", BackgroundLoopsTest::webhook),
        new Case("semel-producer", BackgroundLoopsTest::producer),
        new Case("semel-streams", BackgroundLoopsTest::streams),
        new Case("semel-streams-checkpoint", BackgroundLoopsTest::checkpoints));
  }

  /** An execution whose lease the store can't renew. */
  private static AutoCloseable renewals() {
    MemoryStore real = new MemoryStore(InstantSource.system());
    IdempotencyStore records =
        but(
            IdempotencyStore.class,
            real.idempotency(),
            "renew",
            () -> {
              throw bug();
            });
    Idempotency idempotency =
        new Idempotency(but(Store.class, real, "idempotency", () -> records), SemelListener.NONE);
    AtomicBoolean over = new AtomicBoolean();
    Thread working =
        Thread.startVirtualThread(
            () ->
                idempotency.execute(
                    ExecutionRequest.of(Key.of("payment", "1"), Codec.utf8())
                        .withPolicy(ExecutionPolicy.defaults().withLease(Duration.ofSeconds(1))),
                    execution -> {
                      await().untilTrue(over);
                      return "done";
                    }));
    return () -> {
      over.set(true);
      working.join();
      idempotency.close();
    };
  }

  /** A message that is being handled, for which the broker gives no more time. */
  private static AutoCloseable extending() {
    Message message = Message.of("orders", "one");
    Delivery delivery = but(Delivery.class, broken(Delivery.class), "message", () -> message);
    Subscription subscription =
        but(Subscription.class, broken(Subscription.class), "receive", () -> List.of(delivery));
    AtomicBoolean over = new AtomicBoolean();
    ConsumerInbox working =
        messages -> {
          await().untilTrue(over);
          throw new IllegalStateException("a bug in take");
        };
    MessageConsumer consumer =
        MessageConsumer.start(
            "extending",
            subscription,
            working,
            broken(DeadLetters.class),
            ConsumerSettings.defaults().withExtendEvery(Duration.ofMillis(100)));
    return () -> {
      over.set(true);
      consumer.close();
    };
  }

  private static AutoCloseable partitions() {
    InvocationHandler away =
        (proxy, method, arguments) -> {
          throw new StoreException("the database is away");
        };
    ConsumerPositions positions =
        (ConsumerPositions)
            Proxy.newProxyInstance(
                ConsumerPositions.class.getClassLoader(),
                new Class<?>[] {ConsumerPositions.class},
                away);
    return PartitionShare.start(
        Platform.REAL,
        positions,
        new PartitionShare.Terms("reader", Set.of("0"), Duration.ofSeconds(1)),
        new PartitionBuffer(Platform.REAL, SubscribeSettings.defaults(), true, places -> {}));
  }

  /** A message that can't be signed, because nobody knows what time it is. */
  private static AutoCloseable webhook() {
    Platform timeless =
        new Platform() {
          @Override
          public InstantSource clock() {
            throw bug();
          }
        };
    WebhookSender sender =
        WebhookSender.start(
            timeless,
            Webhook.to("http://127.0.0.1:1/").signedWith("a secret of the test"),
            WebhookSettings.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(100)));
    EventLine.Personal nothing = new EventLine.Personal("", "", "00");
    sender.tell(new EventLine("w", 1, 0, "changed", "", "", "{}", nothing, "", "", ""));
    return sender;
  }

  /** A clock that only the producer's own thread can't read. */
  private static AutoCloseable producer() {
    Platform timeless =
        new Platform() {
          @Override
          public long nanos() {
            if (Thread.currentThread().getName().equals("semel-producer")) {
              throw bug();
            }
            return Platform.super.nanos();
          }
        };
    return IdempotentProducer.open(
        timeless,
        broken(BatchTransport.class),
        ContentType.parse("text/plain"),
        "p",
        ProducerSettings.defaults().withEpoch(1),
        ProducerListener.NONE);
  }

  /** Streams whose first checkpoint finds its place taken by a folder. */
  private static AutoCloseable streams() throws IOException {
    JournalStreams.Settings usual = JournalStreams.Settings.defaults();
    JournalStreams.Settings soon =
        new JournalStreams.Settings(
            usual.limits(),
            usual.retention(),
            usual.journal(),
            1,
            usual.maxJournalBytes(),
            usual.chunkBytes(),
            usual.openFiles());
    Path there = folder.resolve("streams");
    JournalStreams streams = JournalStreams.open(there, InstantSource.system(), soon);
    Files.createDirectories(there.resolve("snapshot.tmp").resolve("taken"));
    CompletionStage<?> unused =
        streams.create(CreateRequest.of(new StreamPath("any"), ContentType.parse("text/plain")));
    return streams;
  }

  /**
   * Streams that want a checkpoint of a log that can be asked for one only at their start. They ask
   * once a second.
   */
  private static AutoCloseable checkpoints() {
    byte[] message = new LogTransition(new StreamPath("any"), "attempt", List.of()).encode();
    AtomicInteger asked = new AtomicInteger();
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "maxBytes" -> 64 << 10;
              case "clock" -> InstantSource.system();
              case "last" -> CompletableFuture.completedFuture(MESSAGES);
              case "checkpoint" -> {
                if (asked.incrementAndGet() > 1) {
                  throw bug();
                }
                yield Optional.empty();
              }
              case "follow" -> {
                ((SharedLog.Follower) arguments[1]).take(MESSAGES, message);
                yield null;
              }
              default -> null;
            };
    SharedLog log =
        (SharedLog)
            Proxy.newProxyInstance(
                SharedLog.class.getClassLoader(), new Class<?>[] {SharedLog.class}, handler);
    return SharedStreams.open(log, StreamLimits.defaults());
  }

  private static AutoCloseable processor(Operation operation) {
    Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), SemelListener.NONE);
    return ExactlyOnceProcessor.start(
        new Jobs(broken(JobQueue.class), idempotency.maintenance()),
        idempotency,
        operation,
        (job, execution) -> {},
        ProcessorSettings.defaults());
  }

  @ParameterizedTest
  @MethodSource("loops")
  void aFailureIsLoggedCountedAndAnEvent(Case tried) throws Exception {
    LoopWatch watch = LoopWatch.of(tried.loop);
    AutoCloseable started = tried.started.start();
    try {
      await().untilAsserted(watch::assertTold);
    } finally {
      try {
        started.close();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("a bug in"); // it closes what is broken, too
      }
    }
  }
}
