package dev.semel.cli.run;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Measures how fast a store is. */
@CommandLine.Command(
    name = "bench",
    header = "Measure first executions and replays on your own store.",
    description = {
      "",
      "Beside them bare reads of the same store, in turns with them: what is above those is what"
          + " Semel costs. It is a load: not for a store that has enough to do. The keys (tenant"
          + " semel-bench) are deleted at the end; counts and events are not written.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel bench",
      "  semel bench --store redis://localhost --seconds 20 --threads 8 -o json"
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int MAX_THREADS = 256;
  private static final long MAX_SECONDS = 3600;

  private final SemelCommand semel;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "9",
      description = "How long, all together (default: ${DEFAULT-VALUE}).")
  private long seconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many ask at a time (default: ${DEFAULT-VALUE}).")
  private int threads;

  public BenchCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    if (seconds < 1 || seconds > MAX_SECONDS || threads < 1 || threads > MAX_THREADS) {
      throw new InvalidInput(
          "--seconds is from 1 to %d, --threads from 1 to %d".formatted(MAX_SECONDS, MAX_THREADS));
    }
    OutputFormat format = semel.settings().output();
    try (Store store = semel.open()) {
      StoreBench bench = new StoreBench(store, threads, Duration.ofSeconds(seconds));
      List<StoreBench.Measure> measures = bench.run(semel.console()::progress);
      semel.console().progress("");
      new BenchView(store.describe(), threads, measures, bench.keys())
          .lines(format)
          .forEach(semel.console()::line);
    }
    return ExitCode.OK;
  }
}
