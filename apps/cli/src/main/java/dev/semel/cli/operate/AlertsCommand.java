package dev.semel.cli.operate;

import dev.semel.admin.ControlCenter;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.internal.AlertList;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.serve.AlertOptions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the alerts that fire now. */
@CommandLine.Command(
    name = "alerts",
    header = "Say what is beyond its limit now, and what to do about it.",
    description = {
      "",
      "Looks once, so that what is beyond its limit fires at once; a server that watches the same"
          + " store waits for a while first. Limits are those of semel serve: --alert,"
          + " SEMEL_SERVE_ALERT, serve.alert in semel.yaml. Exit code 1 if an alert fires.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel alerts",
      "  semel alerts --database postgresql://app@localhost/shop -o json",
      "  semel alerts --alert outbox-lag=10m --alert memory=off || page-someone"
    })
public final class AlertsCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(
      names = "--alert",
      paramLabel = "RULE=LIMIT",
      description = "An alert's limit, as in semel serve; may be given more than once.")
  @SuppressWarnings("UnusedVariable") // the code asks the parser instead of the fields
  private List<String> limits = List.of();

  @Option(names = "--all", description = "Show the limits of all alerts, also of those at rest.")
  private boolean all;

  public AlertsCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    AlertSettings settings =
        AlertOptions.settled(semel, SemelCommand.given(spec).commandLine().getParseResult())
            .settings();
    List<Alert> found = semel.centers().onEverything(database, settings, ControlCenter::alerts);
    new AlertsView(found, settings, all).lines(format).forEach(semel.console()::line);
    return AlertList.anyFires(found) ? ExitCode.FAILED : ExitCode.OK;
  }
}
