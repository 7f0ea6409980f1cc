package dev.semel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for the shell fish. */
final class FishCompletion {
  private FishCompletion() {}

  static String of(String name, CommandLine all) {
    List<String> lines = new ArrayList<>();
    lines.add("complete -c %s -f".formatted(name));
    options(name, all, "", lines);
    for (Map.Entry<String, CommandLine> command : all.getSubcommands().entrySet()) {
      if (command.getValue().getCommandSpec().usageMessage().hidden()) {
        continue;
      }
      lines.add(
          "complete -c %s -n __fish_use_subcommand -a %s -d %s"
              .formatted(name, command.getKey(), described(command.getValue())));
      String within = "__fish_seen_subcommand_from " + command.getKey();
      for (Map.Entry<String, CommandLine> below : command.getValue().getSubcommands().entrySet()) {
        lines.add(
            "complete -c %s -n '%s' -a %s -d %s"
                .formatted(name, within, below.getKey(), described(below.getValue())));
        options(
            name,
            below.getValue(),
            "%s; and __fish_seen_subcommand_from %s".formatted(within, below.getKey()),
            lines);
      }
      options(name, command.getValue(), within, lines);
    }
    return String.join("\n", lines) + "\n";
  }

  private static void options(String name, CommandLine command, String within, List<String> lines) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.hidden() || (option.inherited() && !within.isEmpty())) {
        continue; // options of all commands are listed once
      }
      StringBuilder line = new StringBuilder("complete -c ").append(name);
      if (!within.isEmpty()) {
        line.append(" -n ").append(quoted(within));
      }
      for (String spelling : option.names()) {
        line.append(spelling.startsWith("--") ? " -l " : " -s ")
            .append(spelling.replaceFirst("^-+", ""));
      }
      if (option.arity().max() > 0) {
        line.append(" -r");
      }
      String[] description = option.description();
      line.append(" -d ").append(quoted(description.length == 0 ? "" : first(description[0])));
      lines.add(line.toString());
    }
  }

  private static String described(CommandLine command) {
    String[] header = command.getCommandSpec().usageMessage().header();
    return quoted(header.length == 0 ? "" : header[0]);
  }

  private static String first(String description) {
    return description.split("[.(]", 2)[0].strip();
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
