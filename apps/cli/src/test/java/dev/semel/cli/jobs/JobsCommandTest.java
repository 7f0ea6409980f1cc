package dev.semel.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
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
import dev.semel.job.MemoryJobs;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One job of exports waits, one is at work, one is done, one failed and one is in doubt. */
class JobsCommandTest {
  private static final Operation EXPORTS = new Operation("exports");
  private static final Key DOUBT = Key.of("exports", "doubt");

  /** Text from outside: it clears the screen, and imitates another line. */
  private static final String HOSTILE =
      "java.io.IOException: \u001b[2Jgone\r\n\tat a.B.c(B.java:1)\n\tat \u202egnihtemos";

  @TempDir Path folder;
  private final MemoryJobs queue = new MemoryJobs(InstantSource.system());
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder).withJobs(queue).with("USER", "ann");
    put("done");
    queue.complete(take());
    put("failed");
    queue.bury(take(), DeadLetterReason.GAVE_UP, HOSTILE);
    put("doubt");
    queue.bury(take(), DeadLetterReason.IN_DOUBT, "the answer was lost");
    put("working");
    take();
    put("waits");
  }

  private void put(String id) {
    queue.enqueue(Job.of(new Key(DOUBT.tenant(), EXPORTS, id), "12345"));
  }

  private ReservedJob take() {
    return queue.reserve(EXPORTS, 1, Duration.ofMinutes(1)).getFirst();
  }

  private Cli.Result jobs(String... words) {
    return cli.call(Stream.concat(Stream.of("jobs"), Stream.of(words)).toArray(String[]::new));
  }

  private JobState state(String id) {
    return queue.find(new Key(DOUBT.tenant(), EXPORTS, id)).orElseThrow().state();
  }

  @Test
  void jobsAreListedInTheirStatesWithoutTheirPayload() {
    Cli.Result table = jobs("list", "exports");
    assertThat(table.code()).isZero();
    assertThat(table.out()).doesNotContain("12345", "\u001b");
    assertThat(table.out().lines())
        .hasSize(6)
        .anyMatch(line -> line.matches("KEY +STATE +PRIORITY +TRIES +BYTES +AGE +DUE +REASON"))
        .anyMatch(
            line -> line.matches("default/exports:waits +pending +normal +0 +5 +\\S+ +now +-"))
        .anyMatch(line -> line.matches("default/exports:working +processing +normal +1 .*"))
        .anyMatch(line -> line.matches("default/exports:doubt +in-doubt .* the answer was lost"));
    assertThat(jobs("list", "--state", "pending,in-doubt", "-o", "plain").out().lines())
        .hasSize(2)
        .allMatch(line -> line.matches("default/exports:\\w+\t[a-z-]+\tnormal\t\\d\t\\S+Z\t\\S+Z"));
    JsonObject json = jobs("list", "-o", "json").json();
    assertThat(json.members()).containsOnlyKeys("jobs", "next");
    assertThat(((JsonArray) json.get("jobs").orElseThrow()).items()).hasSize(5);
    assertThat(jobs("list", "--state", "in-doubt", "-o", "jsonl").out())
        .startsWith("{\"key\":\"default/exports:doubt\",\"id\":\"")
        .contains("\"state\":\"in_doubt\"", "\"attempts\":1", "\"reason\":\"the answer was lost\"");
  }

  @Test
  void listingGoesOnAtItsCursor() {
    queue.enqueue(Job.of(Key.of("mails", "a"), ""));
    Cli.Result first = jobs("list", "--limit", "4", "-o", "json");
    String next = ((JsonValue.JsonString) first.json().get("next").orElseThrow()).text();
    Cli.Result second = jobs("list", "--limit", "4", "--cursor", next, "-o", "json");
    assertThat(second.json().get("next")).contains(new JsonValue.JsonNull());
    assertThat(((JsonArray) second.json().get("jobs").orElseThrow()).items()).hasSize(2);
    assertThat(jobs("list", "--limit", "4").err()).contains("--cursor " + next);
  }

  @Test
  void deadLettersHaveTheirReasonInALineAndTheirTraceOnDemand() {
    Cli.Result table = jobs("dead");
    assertThat(table.out().lines())
        .hasSize(3)
        .anyMatch(
            line ->
                line.matches(
                    "default/exports:failed +failed +1 +\\S+ +java.io.IOException: \\\\u001b\\[2Jgone"));
    Cli.Result trace = jobs("dead", "exports", "--trace");
    assertThat(trace.out().lines())
        .anyMatch(line -> line.matches("default/exports:failed  failed after 1 try, \\S+ ago"))
        .contains("        at a.B.c(B.java:1)", "        at \\u202egnihtemos");
    assertThat(table.out() + trace.out()).doesNotContain("\u001b", "\u202e", "\r");
    assertThat(jobs("dead", "--trace", "-o", "jsonl").out()).contains("\"trace\":\"");
    assertThat(jobs("dead", "-o", "jsonl").out()).doesNotContain("trace");
    assertThat(jobs("dead", "-o", "plain").out())
        .contains("default/exports:doubt\tin-doubt\t1\t")
        .hasLineCount(2);
  }

  @Test
  void whereThereIsNothingThatIsSaid() {
    assertThat(jobs("dead", "mails").err()).contains("no dead letters in mails");
    assertThat(jobs("dead", "mails").code()).isZero();
    assertThat(jobs("retry", "mails", "--all").out()).isEqualTo("retried 0 jobs\n");
  }

  @Test
  void retryAsksAndSaysHowMany() {
    Cli.Result refused = jobs("retry", "--all");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("2 dead letters", "add -y");

    assertThat(cli.typing("n\n").call("jobs", "retry", "exports", "--all").err())
        .contains("2 dead letters", "the queue exports", "nothing was done");
    assertThat(state("failed")).isEqualTo(JobState.FAILED);

    assertThat(cli.typing("y\n").call("jobs", "retry", "--all").out())
        .isEqualTo("retried 2 jobs\n");
    assertThat(state("failed")).isEqualTo(JobState.PENDING);
    assertThat(state("doubt")).isEqualTo(JobState.PENDING);
    assertThat(state("working")).isEqualTo(JobState.PROCESSING);
    assertThat(state("done")).isEqualTo(JobState.COMPLETED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"failed", "exports:failed", "default/exports:failed"})
  void oneIsNamedByItsKey(String key) {
    assertThat(jobs("retry", "exports", "--key", key, "-y", "-o", "json").out())
        .isEqualTo("{\"retried\":1}\n");
    assertThat(state("failed")).isEqualTo(JobState.PENDING);
    assertThat(state("doubt")).isEqualTo(JobState.IN_DOUBT);
    assertThat(jobs("retry", "exports", "--key", key, "-y").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  /** Asks for the key again, as the job's worker or another caller does. */
  private Outcome<String> ask() {
    try (Store store = StoreUrls.open("sqlite:" + cli.database(), folder);
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      return idempotency.execute(DOUBT, Fingerprint.NONE, Codec.utf8(), execution -> "ran");
    }
  }

  @Test
  void whatIsRetriedRunsAndIsWrittenIntoTheTrail() {
    cli.call("keys", "list"); // creates the store
    try (Store store = StoreUrls.open("sqlite:" + cli.database(), folder);
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      assertThat(
              catchThrowable(
                  () ->
                      idempotency.execute(
                          DOUBT,
                          Fingerprint.NONE,
                          Codec.utf8(),
                          execution -> {
                            throw new EffectUnknown("lost", new IllegalStateException());
                          })))
          .isInstanceOf(EffectUnknown.class);
    }
    assertThat(ask()).isInstanceOf(Outcome.InDoubt.class);

    assertThat(jobs("retry", "--key", "exports:doubt", "-y").err()).contains("will do so twice");

    assertThat(ask()).isInstanceOf(Outcome.Executed.class);
    assertThat(cli.call("audit", "list").out())
        .contains("force release key", "retry job", "ann", DOUBT.text());
  }

  static Stream<Arguments> wrongCalls() {
    return Stream.of(
        wrong("pending, processing, completed, failed, in-doubt", "list", "--state", "dead"),
        wrong("pending, processing", "list", "--state", "pending,"),
        wrong("--limit is from 1 to 1000", "list", "--limit", "0"),
        wrong("--limit is from 1 to 1000", "dead", "--limit", "1001"),
        wrong("no cursor", "list", "--cursor", "x"),
        wrong("no cursor", "dead", "mails", "--cursor", "exports:1"),
        wrong("operation", "list", "a/b"),
        wrong("use json", "dead", "--trace", "-o", "plain"),
        wrong("--key, or all", "retry", "exports", "-y"),
        wrong("--key, or all", "retry", "--key", "exports:failed", "--all", "-y"),
        wrong("no operation", "retry", "--key", "failed", "-y"),
        wrong("no job of the queue mails", "retry", "mails", "--key", "exports:failed", "-y"),
        wrong("output format", "list", "-o", "xml"));
  }

  private static Arguments wrong(String says, String... words) {
    return Arguments.of(says, List.of(words));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrongCalls")
  void wrongInputChangesNothing(String says, List<String> words) {
    Cli.Result result = jobs(words.toArray(new String[0]));
    assertThat(result.err()).contains(says).doesNotContain("\tat ", "Exception");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(state("failed")).isEqualTo(JobState.FAILED);
  }

  @Test
  void storeWithoutAQueueSaysSo() {
    Cli plain = new Cli(folder).withoutJobs();
    for (List<String> words :
        List.of(List.of("list"), List.of("dead"), List.of("retry", "--all", "-y"))) {
      Cli.Result result =
          plain.call(Stream.concat(Stream.of("jobs"), words.stream()).toArray(String[]::new));
      assertThat(result.code()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains("this store has no job queue", "semel.db");
    }
    assertThat(new Cli(folder).call("jobs", "list", "--store", "memory:").code()).isZero();
  }

  @Test
  void storeThatIsAwayIsToldApart() {
    Cli.Result result = jobs("list", "--store", "redis://u:secret@127.0.0.1:1");
    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.err()).doesNotContain("secret");
  }
}
