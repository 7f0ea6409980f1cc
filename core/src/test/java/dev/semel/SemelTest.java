package dev.semel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Outcome;
import dev.semel.job.CronSchedule;
import dev.semel.job.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The front door, on the engine that needs nothing. */
final class SemelTest {
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void runsOncePerKeyAndReplays() {
    try (Semel semel = Semel.open("memory:")) {
      Outcome<String> first =
          semel.once("payment", "order-1").request("10 €").run(e -> "paid by " + e.effectKey());
      Outcome<String> second =
          semel.once("payment", "order-1").request("10 €").run(e -> "paid twice");
      assertThat(first).isInstanceOf(Outcome.Executed.class);
      assertThat(second).isInstanceOf(Outcome.Replayed.class);
      assertThat(second.value()).isEqualTo(first.value());
      assertThat(semel.once("payment", "order-1").request("11 €").run(e -> "other"))
          .isInstanceOf(Outcome.Mismatch.class);
    }
  }

  @Test
  void resultsHaveAnyFormThatACodecWrites() {
    try (Semel semel = Semel.open("memory:")) {
      Outcome<byte[]> bytes =
          semel.once("export", "e-1").returning(Codec.bytes()).run(e -> new byte[] {1, 2});
      assertThat(bytes.value()).contains(new byte[] {1, 2});
    }
  }

  @Test
  void whatTheWorkThrowsIsThrownOnAndARetryRuns() throws Exception {
    try (Semel semel = Semel.open("memory:")) {
      assertThatThrownBy(
              () ->
                  semel
                      .once("payment", "order-2")
                      .call(
                          e -> {
                            throw new IOException("the bank is away");
                          }))
          .isInstanceOf(IOException.class);
      assertThat(semel.once("payment", "order-2").call(e -> "paid"))
          .isInstanceOf(Outcome.Executed.class);
    }
  }

  @Test
  void aLaterResultHoldsItsKeyUntilItComes() {
    try (Semel semel = Semel.open("memory:")) {
      CompletableFuture<String> bank = new CompletableFuture<>();
      CompletableFuture<Outcome<String>> first =
          semel
              .once("payment", "order-3")
              .runAsync(
                  e -> {
                    runs.incrementAndGet();
                    return bank;
                  })
              .toCompletableFuture();
      await().until(() -> runs.get() == 1);
      assertThat(semel.once("payment", "order-3").run(e -> "beside"))
          .isInstanceOf(Outcome.InFlight.class);
      assertThat(first).isNotDone();
      bank.complete("paid");
      assertThat(first.join()).isInstanceOf(Outcome.Executed.class);
      assertThat(semel.once("payment", "order-3").run(e -> "again").value()).contains("paid");
    }
  }

  @Test
  void aLaterFailureGivesTheKeyBack() {
    try (Semel semel = Semel.open("memory:")) {
      CompletableFuture<Outcome<String>> failed =
          semel
              .once("payment", "order-4")
              .runAsync(
                  e -> CompletableFuture.<String>failedFuture(new IOException("the bank is away")))
              .toCompletableFuture();
      assertThatThrownBy(failed::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(IOException.class);
      assertThat(semel.once("payment", "order-4").run(e -> "paid"))
          .isInstanceOf(Outcome.Executed.class);
    }
  }

  @Test
  void handsOutReservationsSequencesJobsAndCrons() throws Exception {
    try (Semel semel = Semel.open("memory:")) {
      Key key = Key.of("seat", "12a");
      ClaimResult granted = semel.reserve("seat", "12a");
      assertThat(granted).isInstanceOf(ClaimResult.Granted.class);
      assertThat(semel.reserve("seat", "12a")).isInstanceOf(ClaimResult.InFlight.class);
      assertThat(semel.reservations().confirm(key, ((ClaimResult.Granted) granted).token()))
          .isTrue();

      ExecutionRequest<String> step =
          ExecutionRequest.of(Key.of("withdrawal", "w-1"), Codec.utf8());
      assertThat(semel.sequence().execute("account-7", step, e -> "done"))
          .isInstanceOf(Outcome.Executed.class);

      CompletableFuture<String> handled = new CompletableFuture<>();
      semel.handleJobs("mail", (job, execution) -> handled.complete(job.key().id()));
      semel.jobs().enqueue(Job.of(Key.of("mail", "m-1"), "x".getBytes(UTF_8)));
      assertThat(handled.get()).isEqualTo("m-1");

      semel.cron(
          "tick",
          CronSchedule.every(Duration.ofSeconds(1)),
          (slot, execution) -> runs.incrementAndGet());
      await().until(() -> runs.get() > 0);
      assertThat(semel.admin().stats()).isNotNull();
    }
  }

  @Test
  void whatMemoryHasNotIsSaid() {
    try (Semel semel = Semel.open("memory:")) {
      assertThatThrownBy(semel::outbox)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("no outbox");
      assertThatThrownBy(semel::inbox).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void closingTwiceDoesNoHarm() {
    Semel semel = Semel.open("memory:");
    semel.close();
    semel.close();
  }

  @Test
  void aMissingEngineNamesItsArtifact() {
    assertThatThrownBy(() -> Semel.open("postgresql://ann:s3cret@db/shop"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("dev.semel:semel-jdbc")
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> Semel.open("semel.db"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("no scheme")
        .hasMessageContaining("sqlite:FILE");
  }
}
