package dev.semel.cli.streams;

import dev.semel.cli.SemelCommand;
import picocli.CommandLine;

/** Commands on streams. */
@CommandLine.Command(
    name = "streams",
    header = "Create, append to, read, follow, close and delete streams.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel streams create orders --type application/json",
      "  echo '{\"id\": 1}' | semel streams append orders",
      "  semel streams read orders",
      "  semel streams tail orders"
    })
public final class StreamsCommand {
  private StreamsCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine streams = new CommandLine(new StreamsCommand());
    streams.addSubcommand(new StreamsListCommand(semel));
    streams.addSubcommand(new StreamsInfoCommand(semel));
    streams.addSubcommand(new StreamsCreateCommand(semel));
    streams.addSubcommand(new StreamsAppendCommand(semel));
    streams.addSubcommand(new StreamsReadCommand(semel));
    streams.addSubcommand(new StreamsTailCommand(semel));
    streams.addSubcommand(new StreamsCloseCommand(semel));
    streams.addSubcommand(new StreamsDeleteCommand(semel));
    return streams;
  }
}
