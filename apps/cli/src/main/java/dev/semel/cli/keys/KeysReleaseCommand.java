package dev.semel.cli.keys;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.StoreAdmin;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.run.RunningProcess;
import dev.semel.json.Json;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Releases a key, so that it runs again. */
@CommandLine.Command(
    name = "release",
    header = "Let a key run again.",
    description = {
      "",
      "The operator's answer to a key in doubt, once it is known that it did not take effect. A"
          + " holder that still lives can no longer record its result. The attempt counter stays.",
      ""
    },
    footer = {"", "Example:", "  semel keys release nightly-2026-01-31"})
final class KeysReleaseCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Parameters(paramLabel = "KEY", description = "id, operation:id or tenant/operation:id.")
  private @Nullable Key key;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "Only if this token holds the key; then nothing is asked.")
  private @Nullable Token token;

  @Option(
      names = {"-y", "--yes"},
      description = "Don't ask.")
  private boolean yes;

  KeysReleaseCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Key asked = SemelCommand.given(key);
    OutputFormat format = semel.settings().output();
    return semel.centers().onStore(center -> release(center, asked, format));
  }

  private int release(ControlCenter center, Key asked, OutputFormat format) {
    Optional<KeyRecord> found = center.inspect(asked);
    if (found.isEmpty()) {
      return semel.console().notFound(asked);
    }
    if (token == null && !semel.console().confirm(touched(found.get()), yes)) {
      semel.console().complain("nothing was done");
      return ExitCode.FAILED;
    }
    return report(
        token == null ? center.forceRelease(asked) : center.release(asked, token), asked, format);
  }

  private int report(StoreAdmin.Release release, Key asked, OutputFormat format) {
    return switch (release) {
      case RELEASED -> {
        semel
            .console()
            .line(
                format.machine()
                    ? Json.object().with("key", asked.text()).with("released", true).write()
                    : "released " + asked + ": the next call runs");
        yield ExitCode.OK;
      }
      case NOT_FOUND -> semel.console().notFound(asked);
      case NOT_HELD -> {
        semel
            .console()
            .complain("the token does not hold " + asked + ": someone else does, or it has ended");
        yield ExitCode.CONFLICT;
      }
    };
  }

  private static String touched(KeyRecord found) {
    String what =
        "release %s, which is %s: ".formatted(found.key(), new KeyView(found).stateText());
    return what
        + switch (found.state()) {
          case IN_DOUBT ->
              "the next call runs, and if the earlier one took effect, that is the second time"
                  + stillRuns(found);
          case IN_FLIGHT ->
              "its holder goes on but can't record its end, and the next call runs beside it"
                  + stillRuns(found);
          case COMPLETED, FAILED -> "its result is dropped, and the next call runs it again";
          case RELEASED -> "the next call runs already";
        };
  }

  private static String stillRuns(KeyRecord found) {
    return RunningProcess.living(found.requestId())
        .map(it -> ".\nIts command still runs on this host as process " + it.pid())
        .orElse("");
  }
}
