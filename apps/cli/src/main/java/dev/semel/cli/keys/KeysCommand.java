package dev.semel.cli.keys;

import dev.semel.cli.SemelCommand;
import picocli.CommandLine;

/** Commands that show and change records. */
@CommandLine.Command(
    name = "keys",
    header = "List, inspect, watch, release and delete keys; hash a request.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel keys list --prefix run:",
      "  semel keys inspect nightly-2026-01-31",
      "  semel keys release nightly-2026-01-31"
    })
public final class KeysCommand {
  private KeysCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine keys = new CommandLine(new KeysCommand());
    keys.addSubcommand(new KeysListCommand(semel));
    keys.addSubcommand(new KeysInspectCommand(semel));
    keys.addSubcommand(new KeysWatchCommand(semel));
    keys.addSubcommand(new KeysReleaseCommand(semel));
    keys.addSubcommand(new KeysDeleteCommand(semel));
    keys.addSubcommand(new KeysHashCommand(semel));
    return keys;
  }
}
