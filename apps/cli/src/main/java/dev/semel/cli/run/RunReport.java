package dev.semel.cli.run;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.ShellWord;
import dev.semel.cli.StandardStreams;
import dev.semel.cli.connect.NotKept;
import dev.semel.idempotency.Outcome;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Reports the result of a run on standard error, and chooses the exit code. */
final class RunReport {
  private final SemelCommand semel;
  private final Console console;
  private final Key key;
  private final boolean waited;

  RunReport(SemelCommand semel, Key key, boolean waited) {
    this.semel = semel;
    this.console = semel.console();
    this.key = key;
    this.waited = waited;
  }

  int outcome(Outcome<RunResult> outcome) {
    return switch (outcome) {
      case Outcome.Executed<RunResult> e -> executed(e);
      case Outcome.Replayed<RunResult> r -> replayed(r);
      case Outcome.InFlight<RunResult> f -> inFlight(f);
      case Outcome.Mismatch<RunResult> m -> {
        console.complain(
            "mismatch: the key %s was first used for another command (%s). Use another key, or --fingerprint if the two are the same request."
                .formatted(key, origin(m.original())));
        yield ExitCode.CONFLICT;
      }
      case Outcome.Failed<RunResult> f -> {
        console.complain(
            "failed for good before: %s: %s".formatted(f.failure().kind(), f.failure().message()));
        yield ExitCode.FAILED;
      }
      case Outcome.InDoubt<RunResult> d -> {
        console.complain(
            """
            in doubt: an earlier run (%s) ended without a word, so nobody knows whether it took effect, and it is not repeated.%s
            Find out, then: %s   to let it run again
                            %s   to see its record"""
                .formatted(
                    claimed(d.original()),
                    RunningProcess.living(d.original().requestId())
                        .map(
                            it ->
                                "\nIts command still runs on this host as process "
                                    + it.pid()
                                    + ".")
                        .orElse(""),
                    hint("release"),
                    hint("inspect")));
        yield ExitCode.CONFLICT;
      }
    };
  }

  private int executed(Outcome.Executed<RunResult> executed) {
    RunResult result = executed.result();
    if (executed.recorded()) {
      return result.exitCode();
    }
    console.complain(
        """
        fenced: the command ran and ended with %d, but that could not be recorded: the key was released, taken over, or the store did not answer before the lease ended.
        See what others are told: %s"""
            .formatted(result.exitCode(), hint("inspect")));
    return result.exitCode() == ExitCode.OK ? ExitCode.CONFLICT : result.exitCode();
  }

  private int replayed(Outcome.Replayed<RunResult> replayed) {
    RunResult result = replayed.result();
    StandardStreams streams = console.streams();
    byte[] out = result.out().kept();
    byte[] err = result.err().kept();
    streams.out().write(out, 0, out.length);
    streams.out().flush();
    streams.err().write(err, 0, err.length);
    streams.err().flush();
    truncated("standard output", result.out());
    truncated("standard error", result.err());
    FirstExecution original = replayed.original();
    String what =
        "replayed: %s %s, ended with %d, kept for another %s"
            .formatted(
                key,
                origin(original),
                result.exitCode(),
                DurationText.brief(original.retentionLeft()));
    console.note(result.exitCode() == ExitCode.OK ? what : what + failure(original));
    return result.exitCode();
  }

  /** Explains that the failure is stored, because users don't expect a failure to be final. */
  private String failure(FirstExecution original) {
    return """
        .
        It failed at %s and was not run again, because failures are stored (--on-failure store).
        To run it again: %s
        To have every failure run again: --on-failure release"""
        .formatted(
            Instant.now().minus(original.age()).truncatedTo(ChronoUnit.SECONDS), hint("release"));
  }

  private void truncated(String stream, CapturedOutput captured) {
    if (captured.truncated()) {
      console.note(
          "of %s only the first %s of %s were kept (--max-output)"
              .formatted(
                  stream,
                  ByteSizes.text(captured.kept().length),
                  ByteSizes.text(captured.total())));
    }
  }

  private int inFlight(Outcome.InFlight<RunResult> inFlight) {
    Optional<ClaimingProcess> outlived =
        inFlight.left().isPositive()
            ? Optional.empty()
            : RunningProcess.living(inFlight.original().requestId());
    if (outlived.isPresent()) {
      return stillRuns(outlived.get(), inFlight.original());
    }
    String left = DurationText.brief(inFlight.left());
    if (waited) {
      console.complain(
          "timeout: %s is still in flight (%s); its lease runs for another %s unless renewed"
              .formatted(key, claimed(inFlight.original()), left));
      return ExitCode.TIMEOUT;
    }
    console.complain(
        "in flight: another call runs %s (%s); the lease runs for another %s unless renewed. Add --wait 1m to wait for the result."
            .formatted(key, claimed(inFlight.original()), left));
    return ExitCode.CONFLICT;
  }

  /** The lease has ended, but a takeover would run the command beside its earlier run. */
  private int stillRuns(ClaimingProcess command, FirstExecution original) {
    console.complain(
        """
        %s: the command of an earlier run of %s (%s) still runs on this host as process %d although its lease has ended; nothing is run beside it.
        Wait for its end with --wait 10m, or stop it: kill %d"""
            .formatted(
                waited ? "timeout" : "in flight",
                key,
                claimed(original),
                command.pid(),
                command.pid()));
    return waited ? ExitCode.TIMEOUT : ExitCode.CONFLICT;
  }

  /** Nothing was claimed. */
  int notPrepared(IOException cause) {
    console.complain(
        "the command can't be started; nothing ran: "
            + PrintableText.safe(cause.getMessage() + ""));
    return ExitCode.NOT_EXECUTABLE;
  }

  int notStarted(int code, GuardedCommand command) {
    console.complain(
        code == ExitCode.NO_SUCH_COMMAND
            ? "there is no command %s; nothing ran".formatted(PrintableText.quoted(command.name()))
            : "%s can't be executed; nothing ran".formatted(PrintableText.quoted(command.name())));
    return code;
  }

  int notKept(NotKept cause) {
    String why = String.valueOf(cause.getMessage());
    if (why.isEmpty()) {
      console.note(
          "released: the command ended with %d, so the next call runs it again"
              .formatted(cause.exitCode()));
    } else {
      console.complain("the command can't be started, so the key was given back: " + why);
    }
    return cause.exitCode();
  }

  int foreign(RunCodec.ForeignRecord cause) {
    console.complain("%s can't be replayed: %s".formatted(key, cause.getMessage()));
    return ExitCode.CONFLICT;
  }

  void takenOver(int attempt) {
    console.note(
        "taken over: an earlier run ended without a word and may have taken effect; this is attempt %d"
            .formatted(attempt));
  }

  void interrupted(RunResult stopped, Duration lease) {
    console.complain(
        """
        interrupted: the command was stopped (%d). Whether it took effect is not known, so nothing was recorded: within %s the key is in doubt.
        To let it run again: %s"""
            .formatted(stopped.exitCode(), DurationText.brief(lease), hint("release")));
  }

  private static String origin(FirstExecution original) {
    return "ran %s ago%s".formatted(DurationText.brief(original.age()), request(original));
  }

  /** Describes a claim without a result, so that the user knows where to look. */
  private static String claimed(FirstExecution original) {
    String by = ClaimingProcess.in(original.requestId()).map(it -> " by " + it).orElse("");
    return "claimed %s ago%s%s"
        .formatted(DurationText.brief(original.age()), by, request(original));
  }

  private static String request(FirstExecution original) {
    String own = ClaimingProcess.ownId(original.requestId());
    return own.isEmpty() ? "" : ", request " + PrintableText.safe(own);
  }

  private String hint(String command) {
    return semel.hint("keys " + command + " " + ShellWord.of(key.text()));
  }
}
