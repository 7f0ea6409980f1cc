package dev.semel.cli;

import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.JobQueues;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.json.Json;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application that reports its counts: first all counts as one line of JSON, then {@code
 * REPAIRED} when its dead letter ran at last, and {@code RELAXED} when the setting that lets
 * duplicates run has reached it. It shares only the store and the database with its watcher.
 */
final class WatchedApplication implements AutoCloseable {
  static final int PAYMENTS = 40;
  static final int TWICE = 15;
  static final int JOBS = 20;
  static final int MESSAGES = 12;
  static final int AGAIN = 5;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final AtomicInteger paid = new AtomicInteger();
  private final AtomicInteger exported = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger probed = new AtomicInteger();

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Thread thread;

  /** Runs until it is closed. */
  WatchedApplication(Path folder, String storeUrl, String databaseUrl) {
    thread =
        Thread.ofPlatform().name("application").unstarted(() -> run(folder, storeUrl, databaseUrl));
    thread.start();
  }

  /** Its output so far; fails once it has ended. */
  List<String> said() {
    if (ended.isDone()) {
      ended.join();
    }
    return said;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Path folder, String storeUrl, String databaseUrl) {
    try {
      work(folder, storeUrl, databaseUrl);
      ended.complete(null);
    } catch (Throwable e) {
      ended.completeExceptionally(e);
    }
  }

  private void work(Path folder, String storeUrl, String databaseUrl) throws Exception {
    try (Store store = StoreUrls.open(storeUrl, folder);
        Store database = StoreUrls.open(databaseUrl, folder);
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      int requests = pay(idempotency);
      messages(database);
      Jobs jobs = new Jobs(JobQueues.KNOWN.required(store), idempotency.maintenance());
      for (int i = 0; i < JOBS; i++) {
        jobs.enqueue(Job.of(Key.of("exports", "job-" + i), "{}"));
      }
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs,
              idempotency,
              new Operation("exports"),
              (job, execution) -> export(job),
              ProcessorSettings.defaults()
                  .withRetries(2, Duration.ofMillis(1), Duration.ofMillis(1)))) {
        await()
            .until(
                () ->
                    processor.counts().executed() >= JOBS - 1 && processor.counts().failed() >= 1);
        said.add(
            Json.object()
                .with("requests", requests)
                .with("paid", paid.get())
                .with("exported", exported.get())
                .with("dead", processor.counts().failed())
                .with("messages", MESSAGES)
                .with("heard", heard.get())
                .write());
        Loop probe = Loop.start("probe", () -> probe(idempotency), PAUSE);
        try {
          new CountDownLatch(1).await(); // until it is closed
        } catch (InterruptedException e) {
          probe.close();
        }
      }
    }
  }

  private int pay(Idempotency idempotency) throws Exception {
    int requests = 0;
    for (int i = 0; i < PAYMENTS + TWICE; i++) {
      idempotency.execute(
          Key.of("payments", "order-" + i % PAYMENTS),
          Fingerprint.NONE,
          Codec.utf8(),
          execution -> "paid " + paid.incrementAndGet());
      requests++;
    }
    return requests;
  }

  private void messages(Store database) throws Exception {
    try (JdbcOutbox outbox = DatabaseOption.outbox(database);
        JdbcInbox inbox = DatabaseOption.inbox(database)) {
      for (int i = 0; i < MESSAGES; i++) {
        outbox.executeWithOutbox(
            connection -> "", Message.of("orders", "{}").withId("message-" + i));
      }
      for (int i = 0; i < MESSAGES + AGAIN; i++) {
        inbox
            .consumerInbox("ledger", (connection, message) -> heard.incrementAndGet())
            .take(List.of(Message.of("orders", "{}").withId("heard-" + i % MESSAGES)));
      }
    }
  }

  /** One of them fails at every attempt, until an operator retries it. */
  private void export(Job job) {
    if (job.key().id().equals("job-7") && broken.incrementAndGet() <= 2) {
      throw new IllegalStateException("the printer is out of paper");
    }
    exported.incrementAndGet();
    if (job.key().id().equals("job-7")) {
      said.add("REPAIRED");
    }
  }

  /** A duplicate of the first one, unless this operation runs duplicates. */
  private boolean probe(Idempotency idempotency) throws Exception {
    idempotency.execute(
        Key.of("probes", "one"),
        Fingerprint.NONE,
        Codec.utf8(),
        execution -> {
          if (probed.incrementAndGet() == 2) {
            said.add("RELAXED");
          }
          return "";
        });
    return false;
  }
}
