package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.cli.demo.DemoStories.Ending;
import dev.semel.cli.demo.DemoStories.Side;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.internal.Ids;
import dev.semel.job.EnqueueResult;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Story: an export that fails half way, and all the retries that follow. */
final class RetryStorm {
  private static final Operation QUEUE = new Operation("demo");
  private static final int ROWS = 1000;
  private static final int HALF = ROWS / 2;
  private static final int RETRIES_AT_ONCE = 4;

  private static final KeyStrategy<byte[]> BY_CONTENT = KeyStrategies.contentHash("export", "day");

  private static final ProcessorSettings SETTINGS =
      ProcessorSettings.defaults()
          .withWorkers(1)
          .withRetries(3, Duration.ofMillis(1), Duration.ofMillis(10))
          .withPoll(Duration.ofMillis(10));

  private final Narrator narrator;
  private final Jobs jobs;
  private final byte[] asked =
      Json.object()
          .with("export", "orders-" + Ids.uuid7())
          .with("day", "2026-11-15")
          .write()
          .getBytes(StandardCharsets.UTF_8);
  private final Key key = new Key(Tenant.DEFAULT, QUEUE, BY_CONTENT.keying(asked).id());
  private final Partner without = new Partner();
  private final Partner with = new Partner();
  private final CountDownLatch broken = new CountDownLatch(1);
  private final CountDownLatch networkIsBack = new CountDownLatch(1);
  private final CountDownLatch delivered = new CountDownLatch(1);

  private RetryStorm(DemoStage stage, Idempotency idempotency) {
    this.narrator = stage.narrator();
    this.jobs = new Jobs(stage.jobs(), idempotency.maintenance());
  }

  /** Receives the files and counts them. */
  private static final class Partner {
    private final EffectTally files = new EffectTally("file", "files");
    private final AtomicInteger rows = new AtomicInteger();

    void read(int some) {
      rows.addAndGet(some);
    }

    Side side() {
      return new Side(
          "%s, %d rows read".formatted(files.text(), rows.get()),
          Json.object().with("files", files.count()).with("rows", rows.get()).build());
    }
  }

  static Ending play(DemoStage stage) {
    try (Idempotency idempotency = new Idempotency(stage.store(), SemelListener.NONE)) {
      return new RetryStorm(stage, idempotency).play(idempotency);
    }
  }

  private Ending play(Idempotency idempotency) {
    Queue<Integer> plain = new ArrayDeque<>();
    narrator.aside("An export reads %d rows and sends a partner one file.".formatted(ROWS));
    narrator.aside("Its key is a hash of what is asked for, whoever asks:");
    narrator.aside("  " + key);
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(jobs, idempotency, QUEUE, this::export, SETTINGS)) {
      narrator.step("The export runs. Half way, the network breaks.");
      ask();
      without.read(HALF);
      PausedExecution.await(broken);
      narrator.beside(half(without), half(with));
      narrator.step("Four retries arrive: the scheduler, two services, a clerk.");
      List<EnqueueResult> answers = new ArrayList<>();
      for (int retry = 1; retry <= RETRIES_AT_ONCE; retry++) {
        plain.add(retry);
        answers.add(ask());
      }
      narrator.beside("%d more jobs".formatted(plain.size()), told(answers));
      narrator.aside("The job is still there: it is tried again by itself.");
      narrator.step("The network is back.");
      networkIsBack.countDown();
      plain.forEach(job -> exportUnguarded());
      PausedExecution.await(delivered);
      narrator.beside(
          "%d exports: %s".formatted(plain.size(), without.files.text()),
          "attempt %d of the job: %s"
              .formatted(1 + processor.counts().retried(), with.files.text()));
    } // waits for the job's end
    narrator.step("The fifth retry was on its way for long.");
    exportUnguarded();
    narrator.beside("1 export: 1 file", told(ask()));
    narrator.aside("A job is remembered when it is done, for a day or as long as you like.");
    return new Ending(
        "What the partner has:",
        without.side(),
        with.side(),
        with.files.count() == 1,
        Optional.of(key));
  }

  private EnqueueResult ask() {
    return jobs.enqueue(Tenant.DEFAULT, QUEUE, asked, BY_CONTENT);
  }

  /** The job's work. Its first attempt meets a broken network. */
  private void export(Job job, Execution execution) throws IOException {
    if (!job.key().equals(key)) {
      return; // an interrupted demo left it behind
    }
    if (execution.attempt() == 1) {
      with.read(HALF);
      broken.countDown();
      throw new IOException("the network is down");
    }
    PausedExecution.await(networkIsBack);
    with.read(ROWS);
    with.files.happens();
    delivered.countDown();
  }

  private void exportUnguarded() {
    without.read(ROWS);
    without.files.happens();
  }

  private static String half(Partner partner) {
    return "%d of %d rows, %s".formatted(partner.rows.get(), ROWS, partner.files.text());
  }

  private static String told(List<EnqueueResult> answers) {
    return answers.stream()
        .collect(Collectors.groupingBy(RetryStorm::told, LinkedHashMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(each -> "%d × %s".formatted(each.getValue(), each.getKey()))
        .collect(Collectors.joining(", "));
  }

  private static String told(EnqueueResult answer) {
    return switch (answer) {
      case EnqueueResult.Added a -> "added";
      case EnqueueResult.Duplicate d ->
          switch (d.original().state()) {
            case PENDING, PROCESSING -> "duplicate: it is under way";
            case COMPLETED -> "duplicate: it is done";
            case FAILED, IN_DOUBT -> "duplicate: it is a dead letter";
          };
      case EnqueueResult.Mismatch m -> "mismatch: nothing added";
    };
  }
}
