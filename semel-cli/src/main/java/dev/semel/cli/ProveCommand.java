package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.tck.proof.Fault;
import dev.semel.tck.proof.Plan;
import dev.semel.tck.proof.Proof;
import dev.semel.tck.proof.Report;
import dev.semel.tck.proof.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Tries to break a store's promise, and says whether it held. */
@CommandLine.Command(
    name = "prove",
    header = "Try to break the promise on your own store, and report what happened.",
    description = {
      "",
      "Workers in processes of their own execute the same keys while faults happen to them."
          + " Afterwards every key is asked for once more and all answers are checked: nothing ran"
          + " twice, nothing that was acknowledged is lost. The keys (tenant semel-prove) are"
          + " deleted at the end.",
      ""
    },
    footer = {
      "",
      "Faults:",
      "  delay          everything arrives late",
      "  cut            connections break, and new ones are refused",
      "  silent         connections stay open but carry nothing",
      "  lost-answers   requests arrive, their answers don't",
      "  kill           a worker dies with kill -9 and is started again",
      "  stop           a worker stands still for longer than its lease",
      "",
      "Ends with 0 if the promise held, 1 if not, 5 if the store can't be reached.",
      "",
      "Examples:",
      "  semel prove",
      "  semel prove --store redis://localhost --seconds 60",
      "  semel prove --faults kill,stop --seed 42 -o json"
    })
final class ProveCommand implements Callable<Integer> {
  private static final String DEFAULT_REPORT = "semel-proof.html";

  private final Semel semel;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "How long workers ask (default: ${DEFAULT-VALUE}).")
  private long seconds;

  @Option(
      names = "--faults",
      paramLabel = "LIST",
      defaultValue = "all",
      description = "Which may happen: names with commas, all or none (default: all).")
  private String faults = "all";

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many processes (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides which faults happen when; the verdict names it (default: any).")
  private @Nullable Long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      defaultValue = DEFAULT_REPORT,
      description = "Where the report goes, a page of HTML (default: ${DEFAULT-VALUE}).")
  private String report = DEFAULT_REPORT;

  @Option(names = "--keep", description = "Leave the keys in the store.")
  private boolean keep;

  ProveCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws IOException {
    Format format = semel.settings().output();
    Plan plan =
        new Plan(
            Duration.ofSeconds(seconds),
            Fault.parse(faults),
            workers,
            seed == null ? System.nanoTime() : seed,
            keep);
    Path page = page();
    DriverLogs.off();
    Verdict verdict = prove(plan);
    Files.writeString(page, Report.html(verdict), StandardCharsets.UTF_8);
    new VerdictView(verdict, page, semel.console()).lines(format).forEach(semel.console()::line);
    return code(verdict);
  }

  private Verdict prove(Plan plan) {
    try (TemporaryFolder folder = TemporaryFolder.create("semel-prove")) {
      return new Proof(
              ProofTargets.of(semel.storeUrl(), semel.around().folder()),
              plan,
              folder.path(),
              this::progress)
          .run();
    } finally {
      semel.console().progress("");
    }
  }

  private void progress(String phase, Duration left, long executions, int happened) {
    semel
        .console()
        .progress(
            "%s%s · %d executions · %d faults"
                .formatted(
                    left.isZero() ? "" : left.toSeconds() + " s left · ",
                    phase,
                    executions,
                    happened));
  }

  /** Before anything is done: a proof whose report can't be written is a waste. */
  private Path page() {
    try {
      Path page = semel.around().folder().resolve(report);
      Path folder = page.toAbsolutePath().getParent();
      if (Files.isDirectory(page) || folder == null || !Files.isWritable(folder)) {
        throw new InvalidInput(
            "the report can't be written to %s: name a file in a folder that is there"
                .formatted(page));
      }
      return page;
    } catch (InvalidPathException e) {
      throw new InvalidInput("the path of the report is not valid: " + e.getReason());
    }
  }

  private static int code(Verdict verdict) {
    if (verdict.proved()) {
      return Exit.OK;
    }
    return verdict.violations().isEmpty() && verdict.unasked() > 0 ? Exit.UNREACHABLE : Exit.FAILED;
  }
}
