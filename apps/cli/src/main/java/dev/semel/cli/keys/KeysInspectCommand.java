package dev.semel.cli.keys;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.document.internal.KeyDocument;
import dev.semel.admin.document.internal.KeyTimelineDocument;
import dev.semel.admin.internal.LastError;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.ShellWord;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.messages.PayloadView;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one record. */
@CommandLine.Command(
    name = "inspect",
    header = "Show one key's record, or its whole life line.",
    footer = {
      "",
      "Examples:",
      "  semel keys inspect nightly-2026-01-31 --payload",
      "  semel keys inspect acme/payments:4711 --life-line",
      "  semel keys inspect acme/payments:4711 -o json"
    })
final class KeysInspectCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Parameters(paramLabel = "KEY", description = "id, operation:id or tenant/operation:id.")
  private @Nullable Key key;

  @Option(
      names = "--show-token",
      description = "Show the token too; whoever has it can act as the holder.")
  private boolean showToken;

  @Option(names = "--payload", description = "Show what is stored as the result.")
  private boolean showPayload;

  @Option(
      names = "--life-line",
      description =
          "Show all that happened to it too: events, messages in outbox and inbox, its job. Every"
              + " row of an outbox is looked at.")
  private boolean lifeLine;

  @Mixin private final DatabaseOption database = new DatabaseOption();

  KeysInspectCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    Key asked = SemelCommand.given(key);
    return lifeLine || database.given()
        ? semel.centers().onEverything(database, center -> show(center, asked, format))
        : semel.centers().onStore(center -> show(center, asked, format));
  }

  private int show(ControlCenter center, Key asked, OutputFormat format) {
    Optional<KeyRecord> found = center.inspect(asked);
    Optional<KeyTimeline> line = lifeLine ? Optional.of(center.lifeLine(asked)) : Optional.empty();
    if (found.isEmpty() && line.map(KeyTimeline::isEmpty).orElse(true)) {
      return semel.console().notFound(asked);
    }
    Optional<LastError> error = LastError.in(center.about(asked, LastError.EVENTS));
    Optional<Token> token = showToken ? center.token(asked) : Optional.empty();
    Optional<PayloadView> payload =
        showPayload ? center.payload(asked).map(PayloadView::of) : Optional.empty();
    if (format.machine()) {
      // A key without a record may still have a timeline.
      JsonObjectBuilder members =
          found
              .map(KeyDocument::whole)
              .orElseGet(() -> Json.object().with("key", asked.text()).withNull("state"));
      error.ifPresent(there -> members.with("last_error", json(there)));
      token.ifPresent(there -> members.with("token", there.text()));
      payload.ifPresent(there -> members.with("payload", there.json()));
      line.ifPresent(life -> KeyTimelineDocument.put(members, life));
      semel.console().line(members.write());
      return ExitCode.OK;
    }
    found.ifPresent(there -> semel.console().pairs(lines(there, error, token), format));
    payload.ifPresent(there -> there.lines().forEach(semel.console()::line));
    line.ifPresent(life -> print(life, format));
    return ExitCode.OK;
  }

  private void print(KeyTimeline life, OutputFormat format) {
    KeyTimelineView view = new KeyTimelineView(life);
    if (format == OutputFormat.PLAIN) {
      view.plain().forEach(semel.console()::line);
    } else {
      semel.console().line("");
      view.table().forEach(semel.console()::line);
    }
  }

  private static JsonObject json(LastError error) {
    return Json.object()
        .with("at", error.at().toString())
        .with("attempt", error.attempt())
        .with("failure", error.failure())
        .build();
  }

  private Map<String, String> lines(
      KeyRecord found, Optional<LastError> error, Optional<Token> token) {
    KeyView view = new KeyView(found);
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("key", PrintableText.safe(found.key().text()));
    lines.put("state", view.stateText());
    lines.put("attempt", Integer.toString(found.attempt()));
    String request = ClaimingProcess.ownId(found.requestId());
    if (!request.isEmpty()) {
      lines.put("request id", PrintableText.safe(request));
    }
    ClaimingProcess.in(found.requestId()).ifPresent(by -> lines.put("claimed by", by.toString()));
    lines.put("claimed", DurationText.brief(found.age()) + " ago");
    lines.put("kept for", DurationText.brief(found.retentionLeft()));
    if (!found.fingerprint().isEmpty()) {
      lines.put("fingerprint", PrintableText.safe(found.fingerprint()));
    }
    found.exitCode().ifPresent(code -> lines.put("exit code", Integer.toString(code)));
    if (view.ended()) {
      lines.put("payload", "%s, %d bytes".formatted(found.payloadType(), found.payloadBytes()));
    }
    error.ifPresent(
        there ->
            lines.put(
                "last error",
                "attempt %d at %s: %s"
                    .formatted(
                        there.attempt(),
                        there.at().truncatedTo(ChronoUnit.SECONDS),
                        PrintableText.safe(there.failure()))));
    lines.put("effect key", found.key().effectKey());
    token.ifPresent(there -> lines.put("token", there.text()));
    switch (found.state()) {
      case IN_DOUBT ->
          lines.put(
              "next",
              "find out whether it took effect, then: "
                  + semel.hint("keys release " + ShellWord.of(found.key().text())));
      case RELEASED -> lines.put("next", "the next call runs");
      case IN_FLIGHT, COMPLETED, FAILED -> {}
    }
    return lines;
  }
}
