package dev.semel.cli.keys;

import dev.semel.Key;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyRecord;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.json.Json;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes a record. */
@CommandLine.Command(
    name = "delete",
    header = "Forget a key, its result and its attempt counter.",
    footer = {"", "Example:", "  semel keys delete nightly-2026-01-31 -y"})
final class KeysDeleteCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Parameters(paramLabel = "KEY", description = "id, operation:id or tenant/operation:id.")
  private @Nullable Key key;

  @Option(
      names = {"-y", "--yes"},
      description = "Don't ask.")
  private boolean yes;

  KeysDeleteCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Key asked = SemelCommand.given(key);
    OutputFormat format = semel.settings().output();
    return semel.centers().onStore(center -> delete(center, asked, format));
  }

  private int delete(ControlCenter center, Key asked, OutputFormat format) {
    Optional<KeyRecord> found = center.inspect(asked);
    if (found.isEmpty()) {
      return semel.console().notFound(asked);
    }
    String touched =
        "delete %s, which is %s: as if it had never been asked for, and a holder can't record its end"
            .formatted(asked, new KeyView(found.get()).stateText());
    if (!semel.console().confirm(touched, yes)) {
      semel.console().complain("nothing was done");
      return ExitCode.FAILED;
    }
    if (!center.delete(asked)) {
      return semel.console().notFound(asked);
    }
    semel
        .console()
        .line(
            format.machine()
                ? Json.object().with("key", asked.text()).with("deleted", true).write()
                : "deleted " + asked);
    return ExitCode.OK;
  }
}
