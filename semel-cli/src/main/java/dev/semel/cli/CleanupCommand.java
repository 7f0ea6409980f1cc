package dev.semel.cli;

import dev.semel.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Removes what nobody is told of any more. */
@CommandLine.Command(
    name = "cleanup",
    header = "Remove records whose retention has ended.",
    description = {
      "",
      "Such records count as gone already; this gives their room back. Events that are too old or"
          + " too many go with them. It works in small steps and"
          + " can run beside everything else, and can be repeated.",
      ""
    },
    footer = {"", "Example:", "  semel cleanup"})
final class CleanupCommand implements Callable<Integer> {
  private final Semel semel;

  CleanupCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Format format = semel.settings().output();
    long removed =
        semel
            .centers()
            .onStore(
                center ->
                    center.cleanup(
                        soFar -> semel.console().progress("removed " + soFar + " so far")));
    semel.console().progress("");
    semel
        .console()
        .line(
            switch (format) {
              case TABLE -> removed == 1 ? "removed 1 record" : "removed " + removed + " records";
              case JSON, JSONL -> Json.object().with("removed", removed).write();
              case PLAIN -> Long.toString(removed);
            });
    return Exit.OK;
  }
}
