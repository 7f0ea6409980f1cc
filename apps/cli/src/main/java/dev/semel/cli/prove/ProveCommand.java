package dev.semel.cli.prove;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OptionFile;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.TemporaryFolder;
import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.streams.StreamsOptions;
import dev.semel.proof.ProofPart;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.report.ProofReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Tries to break the guarantees, and reports whether they held. */
@CommandLine.Command(
    name = "prove",
    header = "Try to break the promise on your own systems, and report what happened.",
    description = {
      "",
      "Processes of their own do the work while faults happen to them. Afterwards everything that"
          + " anyone was told is checked against what is there.",
      "",
      "--store: workers execute the same keys; nothing runs twice, nothing acknowledged is lost."
          + " The default, if nothing else is named. --database: messages from an outbox through a"
          + " broker to an inbox; every committed one takes effect once, in order, and none that"
          + " was rolled back. --streams: producers and racing writers; nothing acknowledged is"
          + " lost, nothing is there twice, each race has one winner. Where several are named, each"
          + " has its share of the time.",
      "",
      "Everything has names of its own and is deleted at the end: keys of tenant semel-prove, a"
          + " schema, database or file semel_prove_…, destinations and streams semel-prove-….",
      ""
    },
    footer = {
      "",
      "Faults:",
      "  delay          everything arrives late",
      "  cut            connections break, and new ones are refused",
      "  silent         connections stay open but carry nothing",
      "  lost-answers   requests arrive, their answers don't",
      "  kill           a process dies with kill -9 and is started again",
      "  stop           a process stands still for longer than its lease",
      "",
      "Ends with 0 if the promise held, 1 if not, 5 if something can't be reached.",
      "",
      "Examples:",
      "  semel prove",
      "  semel prove --store redis://localhost --seconds 60",
      "  semel prove --faults kill,stop --seed 42 -o json",
      "  semel prove --database postgresql://localhost/shop --broker nats://localhost",
      "  semel prove --streams journal:. --seconds 60",
      "  semel prove --store memory: --database sqlite:shop.db --streams journal:."
    })
public final class ProveCommand implements Callable<Integer> {
  private static final String DEFAULT_REPORT = "semel-proof.html";

  private final SemelCommand semel;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "Prove outbox and inbox in this database: postgresql://…, mariadb://… or sqlite:FILE.")
  private @Nullable String database;

  @Option(
      names = "--broker",
      paramLabel = "URL",
      description =
          "What carries the messages: nats://…, kafka://…, amqp://…, rabbitmq-stream://…, redis://…"
              + " or http://… for a Semel server (default: the streams, or a server of the proof's"
              + " own).")
  private @Nullable String broker;

  @Option(
      names = "--streams",
      paramLabel = "URL",
      description =
          "Prove durable streams: journal:DIR with a server on a folder in it, nats://… with several"
              + " servers before it, or http://… with a server that runs already.")
  private @Nullable String streams;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "How long processes work, all parts together (default: ${DEFAULT-VALUE}).")
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
      description =
          "How many processes work on a store or on streams; half as many of each kind carry messages"
              + " (default: ${DEFAULT-VALUE}).")
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

  @Option(
      names = "--keep",
      description = "Leave keys, tables, destinations and streams where they are.")
  private boolean keep;

  public ProveCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws IOException {
    OutputFormat format = semel.settings().output();
    ProofParts parts = new ProofParts(semel.around().folder(), named());
    ProofPlan plan =
        new ProofPlan(
            share(parts.count()),
            ProcessFault.parse(faults),
            workers,
            seed == null ? System.nanoTime() : seed,
            keep);
    Path page = page();
    DriverLogs.off();
    List<ProofPart> verdicts = prove(parts, plan);
    Files.writeString(page, ProofReport.html(verdicts), StandardCharsets.UTF_8);
    new ProofView(verdicts, page, semel.console()).lines(format).forEach(semel.console()::line);
    return code(verdicts);
  }

  /** Uses the configured store only if the call names nothing else. */
  private ProofParts.Named named() {
    boolean others = database != null || streams != null || broker != null;
    return new ProofParts.Named(
        others ? semel.storeFlag() : Optional.of(semel.storeUrl()),
        Optional.ofNullable(database),
        Optional.ofNullable(broker),
        Optional.ofNullable(streams),
        semel.around().variable(StreamsOptions.TOKEN));
  }

  private Duration share(int parts) {
    if (parts > 1 && seconds < parts) {
      throw new InvalidInput(
          "%d parts need a second each at least: give --seconds %d or more"
              .formatted(parts, parts));
    }
    return Duration.ofSeconds(seconds / parts);
  }

  private List<ProofPart> prove(ProofParts parts, ProofPlan plan) {
    try (TemporaryFolder folder = TemporaryFolder.create("semel-prove")) {
      return parts.prove(plan, folder.path(), this::progress);
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

  /** Checked first, because a proof without its report would be a waste. */
  private Path page() {
    Path page = OptionFile.path(semel.around().folder(), "the report", report);
    Path folder = page.toAbsolutePath().getParent();
    if (Files.isDirectory(page) || folder == null || !Files.isWritable(folder)) {
      throw new InvalidInput(
          "the report can't be written to %s: name a file in a folder that is there"
              .formatted(page));
    }
    return page;
  }

  private static int code(List<ProofPart> parts) {
    if (parts.stream().allMatch(ProofPart::proved)) {
      return ExitCode.OK;
    }
    boolean broken = parts.stream().anyMatch(ProofPart::broken);
    return !broken && parts.stream().anyMatch(part -> !part.reachable())
        ? ExitCode.UNREACHABLE
        : ExitCode.FAILED;
  }
}
