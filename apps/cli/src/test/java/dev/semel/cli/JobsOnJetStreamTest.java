package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.Store;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.Job;
import dev.semel.job.spi.ReservedJob;
import dev.semel.nats.JetStreamJobs;
import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real broker; the store has the records of their keys, as always. */
@Tag("service")
@ExtendWith(SharedServices.class)
class JobsOnJetStreamTest {
  private static final Operation EXPORTS = new Operation("exports");
  private static final Key DOUBT = Key.of("exports", "doubt");
  private static NatsService nats;
  @TempDir Path folder;

  @BeforeAll
  static void share(NatsService shared) {
    nats = shared;
  }

  /** One job waits, one failed and one is in doubt. */
  private static void fill(String stream) {
    try (JetStreamJobs jobs =
        JetStreamJobs.connect(
            JetStreamSettings.of(nats.url(), JetStreamJobs.stream(stream, "jobs." + stream)))) {
      put(jobs, "failed");
      jobs.bury(take(jobs), DeadLetterReason.GAVE_UP, "java.io.IOException: gone");
      put(jobs, "doubt");
      jobs.bury(take(jobs), DeadLetterReason.IN_DOUBT, "the answer was lost");
      put(jobs, "waits");
    }
  }

  private static void put(JetStreamJobs jobs, String id) {
    jobs.enqueue(Job.of(Key.of("exports", id), "12345"));
  }

  private static ReservedJob take(JetStreamJobs jobs) {
    return jobs.reserve(EXPORTS, 1, Duration.ofMinutes(1)).getFirst();
  }

  private Cli.Result jobs(String stream, String... words) {
    return new Cli(folder)
        .with("USER", "ann")
        .call(
            Stream.of(
                    Stream.of("jobs"),
                    Stream.of(words),
                    Stream.of("--queues", nats.url() + "?stream=" + stream))
                .flatMap(each -> each)
                .toArray(String[]::new));
  }

  private Outcome<String> ask() {
    try (Store store = StoreUrls.open("sqlite:" + new Cli(folder).database(), folder);
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      return idempotency.execute(DOUBT, Fingerprint.NONE, Codec.utf8(), execution -> "ran");
    }
  }

  @Test
  void jobsAreListedAndDeadLettersRunAgain() {
    fill("all");
    assertThat(jobs("all", "list", "-o", "plain").out().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("default/exports:waits\tpending\t"));
    assertThat(jobs("all", "dead", "exports").out())
        .contains("default/exports:failed", "java.io.IOException: gone", "default/exports:doubt")
        .doesNotContain("waits");

    try (Store store = StoreUrls.open("sqlite:" + new Cli(folder).database(), folder);
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      assertThatThrownBy(
              () ->
                  idempotency.execute(
                      DOUBT,
                      Fingerprint.NONE,
                      Codec.utf8(),
                      execution -> {
                        throw new EffectUnknown("lost", new IllegalStateException());
                      }))
          .isInstanceOf(EffectUnknown.class);
    }
    assertThat(ask()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(jobs("all", "retry", "exports", "--key", "doubt", "-y", "-o", "json").out())
        .isEqualTo("{\"retried\":1}\n");
    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
    Cli.Result retried = jobs("all", "retry", "--all", "-y");
    assertThat(retried.out()).as(retried.err()).isEqualTo("retried 1 job\n");
    assertThat(jobs("all", "dead").err()).contains("no dead letters");
    assertThat(jobs("all", "list", "--state", "pending", "-o", "plain").out()).hasLineCount(3);
  }

  @Test
  void queuesThatAreNotThereAreNotMade() {
    Cli.Result result = jobs("nobodys", "list");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("there is no stream nobodys");
    assertThat(jobs("nobodys", "list").code()).as("still").isEqualTo(ExitCode.USAGE);
  }

  @Test
  void streamOfMessagesHasNoJobs() {
    JetStreamTransport.connect(
            JetStreamSettings.of(nats.url(), StreamSettings.of("orders", "orders")))
        .close();
    Cli.Result result = jobs("orders", "dead");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("not for jobs");
  }

  @Test
  void otherUrlsAreToldApart() {
    Cli cli = new Cli(folder);
    assertThat(cli.call("jobs", "list", "--queues", "kafka://127.0.0.1").err())
        .contains("use nats://host");
    assertThat(cli.call("jobs", "list", "--queues", "nats://127.0.0.1?name=x").code())
        .isEqualTo(ExitCode.USAGE);
    Cli.Result away = cli.call("jobs", "dead", "--queues", "nats://u:secret@127.0.0.1:1");
    assertThat(away.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(away.err()).doesNotContain("secret");
  }
}
