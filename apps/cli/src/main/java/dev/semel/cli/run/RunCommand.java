package dev.semel.cli.run;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.NotKept;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command once per key, across processes and machines. */
@CommandLine.Command(
    name = "run",
    header = "Run a command once per key.",
    description = {
      "",
      "The first to ask for a key runs the command. Whoever asks again gets what it wrote and the"
          + " code it ended with, without running it, until --ttl has passed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel run --key nightly-$(date +%%F) -- ./report.sh",
      "  semel run --key invoices:4711 --wait 5m --ttl 30d -- ./send-invoice 4711",
      "",
      "Ends with the command's own code, or:",
      "  2 wrong usage     4 in flight, in doubt, or the key is another command's",
      "  5 no store        6 still in flight after --wait     126, 127 can't be started"
    })
public final class RunCommand implements Callable<Integer> {
  static final int MAX_OUTPUT_LIMIT = 16 << 20;

  private static final Duration DEFAULT_LEASE = ExecutionPolicy.defaults().lease();

  /** Practically no limit: the lease is renewed as long as the command runs. */
  private static final Duration MAX_HOLD = Duration.ofDays(3650);

  private static final String NO_FINGERPRINT = "none";

  /** Choice for the key of a failed command. */
  public enum OnFailure {
    STORE,
    RELEASE;

    /** Older name of {@link #STORE}. */
    public static final String STORE_BEFORE = "keep";
  }

  private final SemelCommand semel;

  @Option(
      names = "--key",
      required = true,
      paramLabel = "KEY",
      description = "What must happen once: id, operation:id or tenant/operation:id.")
  private @Nullable Key key;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      defaultValue = "24h",
      description = "How long the result is kept (default: ${DEFAULT-VALUE}).")
  private Duration ttl = ExecutionPolicy.defaults().retention();

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description =
          "How long the key stays taken after a crash (default: 30s); renewed while the command"
              + " runs.")
  private @Nullable Duration lease;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description = "Wait this long for a command in flight (default: don't wait).")
  private @Nullable Duration wait;

  @Option(
      names = "--takeover",
      paramLabel = "POLICY",
      defaultValue = "in-doubt",
      description =
          "After a crash: in-doubt (say so, the default) or run-again (for commands that can bear"
              + " it).")
  private TakeoverPolicy takeover = TakeoverPolicy.IN_DOUBT;

  @Option(
      names = "--on-failure",
      paramLabel = "POLICY",
      defaultValue = "store",
      description =
          "When the command fails: store (that was its one run, and its code is replayed; the"
              + " default) or release (the next call runs).")
  private OnFailure onFailure = OnFailure.STORE;

  @Option(
      names = "--max-output",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description =
          "How much of standard output, and of standard error, is kept (default:"
              + " ${DEFAULT-VALUE}).")
  private String maxOutput = "1MiB";

  @Option(
      names = "--fingerprint",
      paramLabel = "TEXT",
      description =
          "What makes two calls the same request (default: the command line); none: don't compare.")
  private @Nullable String fingerprint;

  @Option(
      names = "--request-id",
      paramLabel = "ID",
      defaultValue = "",
      description = "Your own name for this call, shown to duplicates.")
  private String requestId = "";

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "What to run, after --.")
  private List<String> words = new ArrayList<>();

  public RunCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    semel.refuseOutputFlag("run passes the command's own output through");
    Key asked = SemelCommand.given(key);
    GuardedCommand command = new GuardedCommand(words);
    int limit = ByteSizes.parse("--max-output", maxOutput, MAX_OUTPUT_LIMIT);
    ExecutionRequest<RunResult> request =
        ExecutionRequest.of(asked, new RunCodec())
            .withFingerprint(fingerprint(command))
            .withPolicy(policy().withMaxResponseBytes(RunCodec.OVERHEAD + 2 * limit));
    RunReport report = new RunReport(semel, asked, wait != null);
    // Watches before the store is opened: once our work is visible, a user may interrupt it.
    try (InterruptRelay interrupts =
            InterruptRelay.watch(
                semel.console().streams(),
                stopped -> report.interrupted(stopped, request.policy().lease()));
        Store store = semel.open()) {
      int startable = command.startable(semel.around());
      Optional<StoredRecord> found = store.idempotency().find(asked);
      if (startable != ExitCode.OK && found.isEmpty()) {
        return report.notStarted(startable, command);
      }
      boolean mayRun = startable == ExitCode.OK && found.map(this::mayRun).orElse(true);
      try (Prepared prepared = new Prepared(asked, command, limit)) {
        if (mayRun) {
          prepared.start();
        }
        ExecutionRequest<RunResult> named =
            request.withRequestId(prepared.claimant().requestId(requestId));
        return execute(store, named, prepared, report, interrupts);
      } catch (IOException e) {
        return report.notPrepared(e);
      }
    }
  }

  /** False: the command will most likely not run, so no process needs to stand ready. */
  private boolean mayRun(StoredRecord found) {
    return switch (found.state()) {
      case COMPLETED, FAILED -> false;
      case RELEASED -> true;
      case IN_FLIGHT -> wait != null || !found.leaseLeft().isPositive();
    };
  }

  /**
   * The command's process. It stands ready before the key is claimed, so that the record can name
   * it.
   */
  private final class Prepared implements AutoCloseable {
    private final Key key;
    private final GuardedCommand command;
    private final int limit;
    private @Nullable ChildCommand child;

    Prepared(Key key, GuardedCommand command, int limit) {
      this.key = key;
      this.command = command;
      this.limit = limit;
    }

    ChildCommand start() throws IOException {
      ChildCommand started = child;
      if (started == null) {
        Map<String, String> variables =
            Map.of("SEMEL_KEY", key.text(), "SEMEL_EFFECT_KEY", key.effectKey());
        started = ChildCommand.prepare(command, variables, semel.around(), limit);
        child = started;
      }
      return started;
    }

    /** The prepared process; without one, this process, which ends with its command. */
    ClaimingProcess claimant() {
      return RunningProcess.describe(child == null ? ProcessHandle.current() : child.handle());
    }

    @Override
    public void close() {
      if (child != null) {
        child.close();
      }
    }
  }

  private int execute(
      Store store,
      ExecutionRequest<RunResult> request,
      Prepared prepared,
      RunReport report,
      InterruptRelay interrupts) {
    Idempotency idempotency =
        new Idempotency(
            new TakeoverCheck(store), semel.listener(), semel.settings().data().resolve("outages"));
    try {
      Outcome<RunResult> outcome =
          idempotency.execute(request, execution -> run(execution, prepared, report, interrupts));
      return report.outcome(outcome);
    } catch (NotKept e) {
      return report.notKept(e);
    } catch (RunCodec.ForeignRecord e) {
      return report.foreign(e);
    } finally {
      handOver(idempotency);
    }
  }

  private RunResult run(
      Execution execution, Prepared prepared, RunReport report, InterruptRelay interrupts)
      throws NotKept {
    if (execution.takenOver()) {
      report.takenOver(execution.attempt());
    }
    try {
      RunResult result = interrupts.run(() -> prepared.start().go(execution.attempt()));
      if (result.exitCode() != 0 && onFailure == OnFailure.RELEASE) {
        throw new NotKept(result.exitCode(), "");
      }
      return result;
    } catch (IOException e) {
      int code = prepared.command.startable(semel.around());
      throw new NotKept(
          code == ExitCode.OK ? ExitCode.NOT_EXECUTABLE : code, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  /** The command has run: a failure to write its counts must not make it look failed. */
  private void handOver(Idempotency idempotency) {
    try {
      idempotency.close();
    } catch (StoreException e) {
      semel.console().note("the statistics of this run were not counted: " + e.getMessage());
    }
  }

  private Fingerprint fingerprint(GuardedCommand command) {
    if (fingerprint == null) {
      return command.fingerprint();
    }
    return fingerprint.equals(NO_FINGERPRINT) ? Fingerprint.NONE : Fingerprint.of(fingerprint);
  }

  private ExecutionPolicy policy() {
    if (lease != null && lease.compareTo(ttl) > 0) {
      throw new InvalidInput(
          "--ttl (%s) is shorter than --lease (%s): a result is kept at least as long as a claim"
              .formatted(DurationText.format(ttl), DurationText.format(lease)));
    }
    Duration defaultLease = DEFAULT_LEASE.compareTo(ttl) > 0 ? ttl : DEFAULT_LEASE;
    Duration chosen = lease == null ? defaultLease : lease;
    return new ExecutionPolicy(
        chosen,
        MAX_HOLD,
        ttl,
        takeover,
        wait == null ? Duration.ZERO : wait,
        ExecutionPolicy.defaults().onFailure(),
        ExecutionPolicy.defaults().onOutage(),
        ExecutionPolicy.DEFAULT_MAX_RESPONSE_BYTES);
  }
}
