package dev.semel.cli;

import dev.semel.DurationText;
import dev.semel.Key;
import dev.semel.Original;
import dev.semel.Printable;
import dev.semel.admin.Admin;
import dev.semel.idempotency.Store;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.State;
import dev.semel.json.Members;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one record. */
@CommandLine.Command(
    name = "inspect",
    header = "Show one key's record.",
    footer = {
      "",
      "Examples:",
      "  semel keys inspect nightly-2026-01-31 --payload",
      "  semel keys inspect acme/payments:4711 -o json"
    })
final class KeysInspectCommand implements Callable<Integer> {
  private final Semel semel;

  @Parameters(paramLabel = "KEY", description = "id, operation:id or tenant/operation:id.")
  private @Nullable Key key;

  @Option(
      names = "--show-token",
      description = "Show the token too; whoever has it can act as the holder.")
  private boolean showToken;

  @Option(names = "--payload", description = "Show what is stored as the result.")
  private boolean showPayload;

  KeysInspectCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Format format = semel.settings().output();
    Key asked = Semel.given(key);
    try (Store store = semel.open()) {
      Optional<Entry> found = semel.admin(store).inspect(asked);
      if (found.isEmpty()) {
        return semel.console().notFound(asked);
      }
      if (format.machine()) {
        semel.console().line(json(found.get()).write());
      } else {
        print(found.get(), format);
      }
      return Exit.OK;
    }
  }

  private Members json(Entry entry) {
    Members members = new KeyView(entry).json().with("effect_key", entry.key().effectKey());
    if (showToken) {
      members.with("token", entry.existing().token().text());
    }
    if (showPayload) {
      members.with("payload", PayloadView.of(entry.existing().payload()).json());
    }
    return members;
  }

  private void print(Entry entry, Format format) {
    Map<String, String> lines = lines(entry);
    int width = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
    lines.forEach(
        (name, value) ->
            semel
                .console()
                .line(
                    format == Format.PLAIN
                        ? name.replace(' ', '_') + "\t" + value
                        : name + " ".repeat(width - name.length() + 2) + value));
    if (showPayload) {
      PayloadView.of(entry.existing().payload()).lines().forEach(semel.console()::line);
    }
  }

  private Map<String, String> lines(Entry entry) {
    Existing existing = entry.existing();
    Original original = existing.original();
    KeyView view = new KeyView(entry);
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("key", Printable.safe(entry.key().text()));
    lines.put("state", view.stateText());
    lines.put("attempt", Integer.toString(original.attempt()));
    if (!original.requestId().isEmpty()) {
      lines.put("request id", Printable.safe(original.requestId()));
    }
    lines.put("claimed", DurationText.brief(original.age()) + " ago");
    lines.put("kept for", DurationText.brief(original.retentionLeft()));
    if (!existing.fingerprint().text().isEmpty()) {
      lines.put("fingerprint", Printable.safe(existing.fingerprint().text()));
    }
    view.exitCode().ifPresent(code -> lines.put("exit code", Integer.toString(code)));
    if (existing.state().ended()) {
      lines.put(
          "payload",
          "%s, %d bytes".formatted(existing.payload().type(), existing.payload().bytes().length));
    }
    lines.put("effect key", entry.key().effectKey());
    if (showToken) {
      lines.put("token", existing.token().text());
    }
    if (entry.leaseEnded() || existing.state() == State.RELEASED) {
      lines.put("next", next(entry));
    }
    return lines;
  }

  private String next(Entry entry) {
    return entry.leaseEnded()
        ? "find out whether it took effect, then: "
            + semel.hint("keys release " + ShellWord.of(entry.key().text()))
        : "the next call runs";
  }
}
