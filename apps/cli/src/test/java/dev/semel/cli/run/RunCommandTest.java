package dev.semel.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Records;
import dev.semel.idempotency.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunCommandTest {
  @TempDir Path folder;
  private Cli cli;
  private Path ledger;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    ledger = folder.resolve("ledger");
  }

  private long effects() throws IOException {
    return Files.exists(ledger) ? Files.readAllLines(ledger).size() : 0;
  }

  /** A command line that adds a line to the ledger, and then does the rest. */
  private String[] effectThen(String rest, String... flags) {
    String[] args = new String[flags.length + 5];
    args[0] = "run";
    System.arraycopy(flags, 0, args, 1, flags.length);
    args[flags.length + 1] = "--";
    args[flags.length + 2] = "sh";
    args[flags.length + 3] = "-c";
    args[flags.length + 4] = "echo effect >> '" + ledger + "'; " + rest;
    return args;
  }

  @Test
  void duplicateGetsTheFirstOnesOutputAndExitCodeWithoutRunning() throws IOException {
    String[] call = effectThen("echo out; echo err >&2; exit 3", "--key", "a");

    Cli.Result first = cli.call(call);
    Cli.Result second = cli.call(call);

    assertThat(first.code()).isEqualTo(3);
    assertThat(first.out()).isEqualTo("out\n");
    assertThat(first.err()).isEqualTo("err\n");
    assertThat(second.code()).isEqualTo(3);
    assertThat(second.out()).isEqualTo("out\n");
    assertThat(second.err()).startsWith("err\nsemel: replayed: default/run:a ran ");
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void replayedFailureSaysWhenItRanAndHowToRunItAgain() throws IOException {
    String[] call = effectThen("exit 3", "--key", "a");
    Instant before = Instant.now().minusSeconds(1);
    cli.call(call);
    Instant after = Instant.now();

    Cli.Result second = cli.call(call);

    assertThat(second.code()).isEqualTo(3);
    assertThat(second.err())
        .contains("ended with 3", "keys release default/run:a", "--on-failure release");
    Matcher at = Pattern.compile("failed at (\\S+Z) ").matcher(second.err());
    assertThat(at.find()).isTrue();
    assertThat(Instant.parse(at.group(1))).isBetween(before.minusSeconds(1), after);
    cli.call("keys", "release", "a", "-y");
    assertThat(cli.call(call).err()).isEmpty();
    assertThat(effects()).isEqualTo(2);
  }

  @Test
  void replayedSuccessNeedsNoAdvice() {
    cli.call("run", "--key", "a", "--", "true");

    assertThat(cli.call("run", "--key", "a", "--", "true").err().lines()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"store", "keep"})
  void storedFailureIsReplayedByItsNewAndItsOldWord(String word) throws IOException {
    String[] call = effectThen("exit 9", "--key", "a", "--on-failure", word);

    assertThat(cli.call(call).code()).isEqualTo(9);
    assertThat(cli.call(call).code()).isEqualTo(9);

    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void quietKeepsTheNoteBack() {
    cli.call("run", "--key", "a", "--", "true");

    assertThat(cli.call("run", "-q", "--key", "a", "--", "true").err()).isEmpty();
  }

  @Test
  void outputIsPassedOnAndReplayedByteForByte() {
    String[] call = {"run", "-q", "--key", "a", "--", "printf", "\\000\\377\\033[31m\\r\\n\\303"};
    byte[] expected = {0, (byte) 0xff, 0x1b, '[', '3', '1', 'm', '\r', '\n', (byte) 0xc3};

    assertThat(cli.call(call).outBytes()).isEqualTo(expected);
    assertThat(cli.call(call).outBytes()).isEqualTo(expected);
  }

  @Test
  void wordsReachTheCommandUnchanged() {
    Cli.Result result =
        cli.call(
            "run", "--key", "a", "--", "printf", "[%s]", "--key", "--", "@x", "", "ä €", "a b");

    assertThat(result.out()).isEqualTo("[--key][--][@x][][ä €][a b]");
  }

  @Test
  void optionsAfterTheCommandBelongToItEvenWithoutDashes() {
    assertThat(cli.call("run", "--key", "a", "printf", "[%s]", "--ttl").out()).isEqualTo("[--ttl]");
  }

  @Test
  void anotherCommandUnderTheSameKeyIsAMismatch() throws IOException {
    cli.call("run", "--key", "a", "--", "true");

    Cli.Result other = cli.call(effectThen("true", "--key", "a"));

    assertThat(other.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(other.err()).contains("mismatch", "default/run:a");
    assertThat(effects()).isZero();
  }

  @Test
  void fingerprintSaysWhatMakesTwoCallsTheSame() {
    cli.call("run", "--key", "a", "--fingerprint", "order 7", "--", "echo", "first");

    assertThat(cli.call("run", "--key", "a", "--fingerprint", "order 7", "--", "echo", "x").out())
        .isEqualTo("first\n");
    assertThat(cli.call("run", "--key", "a", "--fingerprint", "none", "--", "echo", "x").out())
        .isEqualTo("first\n");
    assertThat(cli.call("run", "--key", "a", "--fingerprint", "order 8", "--", "echo", "x").code())
        .isEqualTo(ExitCode.CONFLICT);
  }

  @Test
  void releasedFailureRunsAgainWithTheNextAttempt() throws IOException {
    String[] call =
        effectThen("echo $SEMEL_ATTEMPT; exit 9", "--key", "a", "--on-failure", "release");

    assertThat(cli.call(call).code()).isEqualTo(9);
    Cli.Result second = cli.call(call);

    assertThat(second.code()).isEqualTo(9);
    assertThat(second.out()).isEqualTo("2\n");
    assertThat(effects()).isEqualTo(2);
  }

  @Test
  void commandKnowsItsKeyAttemptAndEffectKey() {
    Cli.Result result =
        cli.call(
            "run",
            "--key",
            "acme/bill:7",
            "--",
            "sh",
            "-c",
            "echo $SEMEL_KEY $SEMEL_ATTEMPT $SEMEL_EFFECT_KEY");

    assertThat(result.out())
        .isEqualTo("acme/bill:7 1 " + Key.of("acme", "bill", "7").effectKey() + "\n");
  }

  @Test
  void outputBeyondTheLimitIsPassedOnButNotKept() {
    String[] call = {"run", "--key", "a", "--max-output", "4", "--", "echo", "123456"};

    assertThat(cli.call(call).out()).isEqualTo("123456\n");
    Cli.Result replay = cli.call(call);

    assertThat(replay.code()).isZero();
    assertThat(replay.out()).isEqualTo("1234");
    assertThat(replay.err()).contains("only the first 4 B of 7 B were kept");
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void processLeftBehindInTheBackgroundDoesNotHoldTheKey() {
    Cli.Result result = cli.call("run", "--key", "a", "--", "sh", "-c", "sleep 60 & echo $!");

    ProcessHandle.of(Long.parseLong(result.out().strip())).ifPresent(ProcessHandle::destroy);
    assertThat(result.code()).isZero();
    assertThat(cli.call("keys", "inspect", "a", "-o", "json").out()).contains("\"completed\"");
  }

  @Test
  void retentionShorterThanTheUsualLeaseIsFine() {
    assertThat(cli.call("run", "--key", "a", "--ttl", "5s", "--", "true").code()).isZero();
  }

  @Test
  void eventsAreLoggedAsJsonOnStandardErrorOnly() {
    Cli.Result result = cli.call("run", "--log-events", "--key", "a", "--", "echo", "hi");

    assertThat(result.out()).isEqualTo("hi\n");
    assertThat(result.err().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"level\":"));
  }

  @Nested
  class WhenItCannotStart {
    @Test
    void missingCommandEndsWith127AndLeavesNothing() {
      Cli.Result result = cli.call("run", "--key", "a", "--", "no-such-command-here");

      assertThat(result.code()).isEqualTo(ExitCode.NO_SUCH_COMMAND);
      assertThat(result.err()).contains("no-such-command-here");
      assertThat(cli.call("keys", "inspect", "a").code()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void fileThatIsNotExecutableEndsWith126AndLeavesNothing() throws IOException {
      Path file = Files.writeString(folder.resolve("plain"), "text");

      assertThat(cli.call("run", "--key", "a", "--", file.toString()).code())
          .isEqualTo(ExitCode.NOT_EXECUTABLE);
      assertThat(cli.call("run", "--key", "a", "--", folder.toString()).code())
          .isEqualTo(ExitCode.NOT_EXECUTABLE);
      assertThat(cli.call("keys", "inspect", "a").code()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void doneBeforeIsReplayedEvenIfTheCommandIsGone() throws IOException {
      Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\necho done\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
      cli.call("run", "--key", "a", "--", script.toString());
      Files.delete(script);

      assertThat(cli.call("run", "--key", "a", "--", script.toString()).out()).isEqualTo("done\n");
    }

    @Test
    void unreachableStoreMeansThatNothingRuns() throws IOException {
      Cli.Result result =
          cli.call(effectThen("true", "--key", "a", "--store", "redis://me:secret@127.0.0.1:1/0"));

      assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(result.err()).contains("127.0.0.1:1").doesNotContain("secret");
      assertThat(effects()).isZero();
    }
  }

  @Nested
  class WhenSomeoneElseHoldsTheKey {
    private final Key key = Key.of("run", "a");

    @Test
    void callerIsToldHowLongTheLeaseRunsAndHowToWait() throws IOException {
      Records.claimed(cli.database(), key, Duration.ZERO);

      Cli.Result result = cli.call(effectThen("true", "--key", "a"));

      assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
      assertThat(result.err()).containsPattern("in flight.*another 2\\d").contains("--wait");
      assertThat(effects()).isZero();
    }

    @Test
    void waitThatIsOverIsATimeout() throws IOException {
      Records.claimed(cli.database(), key, Duration.ZERO);

      Cli.Result result = cli.call(effectThen("true", "--key", "a", "--wait", "50ms"));

      assertThat(result.code()).isEqualTo(ExitCode.TIMEOUT);
      assertThat(result.err()).contains("timeout", "request-1");
      assertThat(effects()).isZero();
    }

    @Test
    void holderThatWasNotHeardOfIsInDoubtAndBothWaysOutAreNamed() throws IOException {
      Records.claimed(cli.database(), key, Duration.ofHours(1));

      Cli.Result result = cli.call(effectThen("true", "--key", "a"));

      assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
      assertThat(result.err())
          .contains("in doubt", "keys release default/run:a", "keys inspect default/run:a");
      assertThat(effects()).isZero();
    }

    @Test
    void takeoverByChoiceRunsWithTheNextAttemptAndSaysSo() throws IOException {
      Records.claimed(cli.database(), key, Duration.ofHours(1));

      Cli.Result result =
          cli.call(effectThen("echo $SEMEL_ATTEMPT", "--key", "a", "--takeover", "run-again"));

      assertThat(result.code()).isZero();
      assertThat(result.out()).isEqualTo("2\n");
      assertThat(result.err()).contains("taken over");
      assertThat(effects()).isEqualTo(1);
    }

    @Test
    void keyThatAnotherProgramCompletedIsNotMisread() {
      Records.completed(
          cli.database(), key, new Payload("text/plain", "hello".getBytes(StandardCharsets.UTF_8)));

      Cli.Result result = cli.call("run", "--key", "a", "--", "true");

      assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
      assertThat(result.err()).contains("text/plain").doesNotContain("hello");
    }

    @Test
    void runWhoseKeyWasReleasedUnderItEndsAsFenced() throws IOException {
      assertThat(releasedWhileRunning("true")).isEqualTo(ExitCode.CONFLICT);
    }

    @Test
    void fencedRunThatFailedByItselfKeepsItsOwnCode() throws IOException {
      assertThat(releasedWhileRunning("exit 7")).isEqualTo(7);
    }

    private int releasedWhileRunning(String end) throws IOException {
      Path started = folder.resolve("started");
      Path go = folder.resolve("go");
      String command =
          "touch '%s'; until [ -e '%s' ]; do sleep 0.02; done; %s".formatted(started, go, end);
      CompletableFuture<Cli.Result> run =
          CompletableFuture.supplyAsync(
              () -> cli.call("run", "--key", "a", "--", "sh", "-c", command));
      await().until(() -> Files.exists(started));
      assertThat(new Cli(folder).call("keys", "release", "a", "-y").code()).isZero();
      Files.createFile(go);

      Cli.Result result = run.join();
      assertThat(result.err()).contains("fenced", "could not be recorded");
      return result.code();
    }
  }
}
