package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.cli.CommandManual;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.internal.PrintableText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Checks the settings without opening anything. */
@CommandLine.Command(
    name = "check",
    header = "Say whether what is set makes sense; nothing is opened.",
    description = {"", "Whether the store itself is well: see doctor.", ""},
    footer = {
      "",
      "Ends with 1 if something is wrong.",
      "",
      "Example:",
      "  SEMEL_STORE=redis://localhost semel config check -o json"
    })
final class ConfigCheckCommand implements Callable<Integer> {
  private final SemelCommand semel;
  private final DoctorReport checkup = new DoctorReport();

  ConfigCheckCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = OutputFormat.TABLE;
    try {
      CommandSettings settings = semel.settings();
      format = settings.output();
      checkup.ok("values", "all files and variables can be read");
      each();
      folder(settings.data());
    } catch (InvalidInput e) {
      checkup.problem("values", String.valueOf(e.getMessage()));
    }
    checkup.lines(format).forEach(semel.console()::line);
    return checkup.well() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void each() {
    Map<String, CommandSettings.Value> values =
        CommandSettings.values(semel.flags(), semel.around());
    values.forEach(
        (name, value) -> {
          try {
            values(Map.of(name, value.text()));
            checkup.ok(name, "from " + value.origin());
          } catch (InvalidInput e) {
            // Other programs may have variables that begin like ours.
            boolean ours = !value.isVariable() || !CommandSettings.ofACommand(name);
            if (ours) {
              checkup.problem(name, "%s: %s".formatted(value.origin(), e.getMessage()));
            }
          }
        });
  }

  private void folder(Path data) {
    Path there = data;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null || !Files.isDirectory(there) || !Files.isWritable(there)) {
      checkup.problem(
          "folder",
          "nothing can be written to %s: name another with --data"
              .formatted(PrintableText.safe(data.toString())));
    } else {
      checkup.ok("folder", PrintableText.safe(data.toString()));
    }
  }

  /**
   * Checks that a command could use each value.
   *
   * @throws InvalidInput one is wrong; the message holds no password
   */
  static void values(Map<String, String> values) {
    values.forEach(
        (name, value) -> {
          switch (name) {
            case CommandSettings.OUTPUT -> {
              OutputFormat unused = OutputFormat.parse(value);
            }
            case CommandSettings.LOG -> {
              boolean unused = CommandSettings.log(value);
            }
            case CommandSettings.STORE -> StoreUrls.requireKnown(value);
            case CommandSettings.DATABASE -> {
              String unused = DatabaseOption.requireSql(value);
            }
            default -> {
              if (CommandSettings.ofACommand(name)) {
                requireOption(name);
              }
            }
          }
        });
  }

  private static void requireOption(String name) {
    Set<String> known = CommandManual.settings();
    if (!known.contains(name)) {
      String command = name.substring(0, name.indexOf('.') + 1);
      throw new InvalidInput(
          "there is no setting %s; there are %s"
              .formatted(
                  PrintableText.quoted(name),
                  known.stream()
                      .filter(each -> each.startsWith(command))
                      .collect(Collectors.joining(", "))));
    }
  }
}
