package dev.semel.cli.keys;

import dev.semel.admin.ControlCenter;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Removes records whose retention has ended. */
@CommandLine.Command(
    name = "cleanup",
    header = "Remove records whose retention has ended.",
    description = {
      "",
      "Such records count as gone already; this gives their room back. Events that are too old or"
          + " too many go with them. It works in small steps and"
          + " can run beside everything else, and can be repeated. On a terminal it asks before;"
          + " elsewhere, such as in cron, it does not.",
      ""
    },
    footer = {"", "Example:", "  semel cleanup"})
public final class CleanupCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public CleanupCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    return semel.centers().onStore(this::clean);
  }

  private int clean(ControlCenter center) {
    OutputFormat format = semel.settings().output();
    long ended = center.ended();
    if (ended > 0
        && !semel
            .console()
            .confirmIfAsked(
                "This removes %s whose retention has ended.".formatted(records(ended)), yes)) {
      semel.console().note("nothing was done");
      return ExitCode.OK;
    }
    long removed =
        center.cleanup(ended, soFar -> semel.console().progress("removed " + soFar + " so far"));
    semel.console().progress("");
    semel
        .console()
        .line(
            switch (format) {
              case TABLE -> "removed " + records(removed);
              case JSON, JSONL -> Json.object().with("removed", removed).write();
              case PLAIN -> Long.toString(removed);
            });
    return ExitCode.OK;
  }

  private static String records(long count) {
    return count == 1 ? "1 record" : count + " records";
  }
}
