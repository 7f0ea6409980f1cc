package dev.semel.cli.operate;

import dev.semel.cli.CommandManual;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.TextTable;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Commands on settings. */
@CommandLine.Command(
    name = "config",
    header = "Show what applies to a command here, and who said so; change and check it.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Examples:", "  semel config show", "  semel config set output=json"})
public final class ConfigCommand {
  private ConfigCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine config = new CommandLine(new ConfigCommand());
    config.addSubcommand(new Show(semel));
    config.addSubcommand(new ConfigSetCommand(semel));
    config.addSubcommand(new ConfigCheckCommand(semel));
    return config;
  }

  /** Shows every value with its origin. */
  @CommandLine.Command(
      name = "show",
      header = "Show each value and its origin; passwords are left out.",
      footer = {
        "",
        "Flags go before SEMEL_* variables, those before semel.yaml in the current folder, that",
        "before semel.yaml in the data folder. What is set per operation: see queues list.",
        "",
        "Example:",
        "  SEMEL_STORE=redis://localhost semel config show"
      })
  static final class Show implements Callable<Integer> {
    private final SemelCommand semel;

    Show(SemelCommand semel) {
      this.semel = semel;
    }

    private record Row(String name, String value, String origin) {
      JsonValue json() {
        return Json.object().with("name", name).with("value", value).with("origin", origin).build();
      }
    }

    @Override
    public Integer call() {
      List<Row> rows = rows();
      switch (semel.settings().output()) {
        case TABLE -> {
          TextTable table = new TextTable("NAME", "VALUE", "FROM");
          rows.forEach(row -> table.row(List.of(row.name(), row.value(), row.origin())));
          table.lines().forEach(semel.console()::line);
        }
        case JSON ->
            semel
                .console()
                .line(Json.object().with("config", rows.stream().map(Row::json).toList()).write());
        case JSONL -> rows.forEach(row -> semel.console().line(Json.write(row.json())));
        case PLAIN ->
            rows.forEach(
                row ->
                    semel.console().line(String.join("\t", row.name(), row.value(), row.origin())));
      }
      return ExitCode.OK;
    }

    private List<Row> rows() {
      Map<String, CommandSettings.Value> values =
          CommandSettings.values(semel.flags(), semel.around());
      dropWhatIsNoOption(values.keySet());
      List<Row> rows = new ArrayList<>();
      values.forEach(
          (name, value) ->
              rows.add(
                  new Row(name, shown(name, value.text()), PrintableText.safe(value.origin()))));
      if (!values.containsKey(CommandSettings.STORE)) {
        rows.add(
            new Row(
                CommandSettings.STORE,
                "sqlite:" + semel.settings().data().resolve("semel.db"),
                "the data folder"));
      }
      if (!values.containsKey(CommandSettings.STREAMS)) {
        CommandSettings settings = semel.settings();
        rows.add(
            new Row(
                CommandSettings.STREAMS,
                shown(CommandSettings.STREAMS, settings.streamsUrl()),
                settings.server().isPresent() ? CommandSettings.SERVER : "the data folder"));
      }
      return rows;
    }

    /** Other programs may have variables that begin like ours; our commands ignore them too. */
    private static void dropWhatIsNoOption(Set<String> names) {
      if (names.stream().anyMatch(CommandSettings::ofACommand)) {
        names.retainAll(CommandManual.settings());
      }
    }

    private static String shown(String name, String text) {
      boolean url =
          name.equals(CommandSettings.STORE)
              || name.equals(CommandSettings.DATABASE)
              || name.equals(CommandSettings.STREAMS)
              || name.equals(CommandSettings.GATEWAY + "upstream");
      if (name.equals(CommandSettings.SERVE + "webhook")) {
        return "(not shown)"; // the address may contain a secret anywhere
      }
      return url && text.contains("://")
          ? StoreUrls.withoutSecrets(text)
          : PrintableText.safe(text);
    }
  }
}
