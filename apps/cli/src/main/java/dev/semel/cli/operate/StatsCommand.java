package dev.semel.cli.operate;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.StoreStats;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Shows the numbers of requests and duplicates. */
@CommandLine.Command(
    name = "stats",
    header = "Show counts per operation, the hit rate, and what the store holds.",
    footer = {
      "",
      "The hit rate is duplicates / requests; the bars are requests by the hour. Counts reach",
      "the store once a second.",
      "",
      "Examples:",
      "  semel stats",
      "  semel stats -o json | jq .total.hit_rate",
      "  semel stats reset -y"
    })
public final class StatsCommand implements Callable<Integer> {
  private final SemelCommand semel;

  private StatsCommand(SemelCommand semel) {
    this.semel = semel;
  }

  public static CommandLine with(SemelCommand semel) {
    CommandLine stats = new CommandLine(new StatsCommand(semel));
    stats.addSubcommand(new Reset(semel));
    return stats;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    StoreStats stats = semel.centers().onStore(ControlCenter::stats);
    new StatsView(stats).lines(format).forEach(semel.console()::line);
    return ExitCode.OK;
  }

  /** Sets all counts to zero. */
  @CommandLine.Command(
      name = "reset",
      header = "Set all counts to zero; keys stay as they are.",
      footer = {"", "Example:", "  semel stats reset -y"})
  static final class Reset implements Callable<Integer> {
    private final SemelCommand semel;

    @Option(
        names = {"-y", "--yes"},
        description = "Don't ask.")
    private boolean yes;

    Reset(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      OutputFormat format = semel.settings().output();
      return semel.centers().onStore(center -> reset(center, format));
    }

    private int reset(ControlCenter center, OutputFormat format) {
      StoreStats stats = center.stats();
      int scopes = stats.operations().size();
      String touched =
          "reset the counts of %s in %s"
              .formatted(scopes == 1 ? "1 operation" : scopes + " operations", stats.store());
      if (!semel.console().confirm(touched, yes)) {
        semel.console().complain("nothing was done");
        return ExitCode.FAILED;
      }
      int reset = center.resetStatistics();
      semel
          .console()
          .line(
              format.machine()
                  ? Json.object().with("reset", reset).write()
                  : "all counts are zero");
      return ExitCode.OK;
    }
  }
}
