package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.SettingsFile;
import dev.semel.cli.TemporaryFolder;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a file of settings. */
@CommandLine.Command(
    name = "set",
    header = "Change values in semel.yaml; other lines stay as they are.",
    description = {
      "",
      "NAME=VALUE sets one, NAME= takes it away. Only you may read the file afterwards, because a"
          + " URL may hold a password.",
      ""
    },
    footer = {
      "",
      "store, database, streams, output, log; data with --here; gateway.OPTION and",
      "serve.OPTION: see gateway --help and serve --help.",
      "",
      "Examples:",
      "  semel config set store=redis://localhost output=json",
      "  semel config set --here store="
    })
final class ConfigSetCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Option(
      names = "--here",
      description = "In the current folder's file (default: the data folder's).")
  private boolean here;

  @Parameters(arity = "1..*", paramLabel = "NAME=VALUE", description = "What to change.")
  private List<String> changes = List.of();

  ConfigSetCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> wanted = wanted();
    OutputFormat format = semel.settings().output();
    Path folder = here ? semel.around().folder() : semel.settings().data();
    SettingsText text = SettingsText.read(folder);
    wanted.forEach(text::set);
    check(text);
    Files.createDirectories(folder);
    Path file = folder.resolve(SettingsFile.NAME);
    try (UnfinishedFile unfinished = UnfinishedFile.beside(file)) {
      unfinished.out().print(text.text());
      unfinished.finish();
    }
    semel
        .console()
        .line(
            format.machine()
                ? Json.object().with("file", file.toString()).with("changed", wanted.size()).write()
                : "changed " + PrintableText.safe(file.toString()));
    return ExitCode.OK;
  }

  private Map<String, String> wanted() {
    Map<String, String> wanted = new LinkedHashMap<>();
    for (String change : changes) {
      int equals = change.indexOf('=');
      if (equals < 1) {
        throw new InvalidInput(
            "%s is no change: write NAME=VALUE, such as output=json"
                .formatted(PrintableText.quoted(change)));
      }
      if (wanted.put(change.substring(0, equals), change.substring(equals + 1)) != null) {
        throw new InvalidInput("%s is given twice".formatted(change.substring(0, equals)));
      }
    }
    return wanted;
  }

  /** Parses the result first: a value with which no command could start is not written. */
  private void check(SettingsText text) throws IOException {
    try (TemporaryFolder apart = TemporaryFolder.create("semel-config")) {
      Files.writeString(apart.path().resolve(SettingsFile.NAME), text.text());
      ConfigCheckCommand.values(
          SettingsFile.read(
              apart.path(), here ? CommandSettings.KNOWN : CommandSettings.KNOWN_IN_DATA_FOLDER));
    }
  }
}
