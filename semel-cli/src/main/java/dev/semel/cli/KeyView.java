package dev.semel.cli;

import dev.semel.DurationText;
import dev.semel.Original;
import dev.semel.Printable;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.State;
import dev.semel.json.Json;
import dev.semel.json.Members;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** A record as people and programs see it. */
record KeyView(Entry entry) {
  static final String[] HEADINGS = {"KEY", "STATE", "ATTEMPT", "AGE", "KEPT FOR", "BYTES"};

  /** One word for programs; a holder whose lease ended is in doubt to everyone else. */
  String state() {
    return entry.leaseEnded()
        ? "in_doubt"
        : entry.existing().state().name().toLowerCase(Locale.ROOT);
  }

  /** The same for people, with what they would ask next. */
  String stateText() {
    Existing existing = entry.existing();
    if (entry.leaseEnded()) {
      return "lease ended (in doubt)";
    }
    return existing.state() == State.IN_FLIGHT
        ? "in flight (%s left)".formatted(DurationText.brief(existing.leaseLeft()))
        : state();
  }

  List<String> cells() {
    Original original = entry.existing().original();
    return List.of(
        Printable.safe(entry.key().text()),
        stateText(),
        Integer.toString(original.attempt()),
        DurationText.brief(original.age()),
        DurationText.brief(original.retentionLeft()),
        Integer.toString(payload().bytes().length));
  }

  /** The same as {@link #cells}, in units that a script can calculate with. */
  String plain() {
    Original original = entry.existing().original();
    return String.join(
        "\t",
        entry.key().text(),
        state(),
        Integer.toString(original.attempt()),
        Long.toString(original.age().toMillis()),
        Long.toString(original.retentionLeft().toMillis()),
        Integer.toString(payload().bytes().length));
  }

  Members json() {
    Existing existing = entry.existing();
    Original original = existing.original();
    Members members =
        Json.object()
            .with("key", entry.key().text())
            .with("tenant", entry.key().tenant().name())
            .with("operation", entry.key().operation().name())
            .with("id", entry.key().id())
            .with("state", state())
            .with("attempt", original.attempt())
            .with("request_id", original.requestId())
            .with("age_ms", original.age().toMillis());
    if (existing.state() == State.IN_FLIGHT) {
      members.with("lease_left_ms", atLeastZero(existing.leaseLeft()).toMillis());
    } else {
      members.withNull("lease_left_ms");
    }
    members
        .with("retention_left_ms", original.retentionLeft().toMillis())
        .with("fingerprint", existing.fingerprint().text())
        .with("payload_type", payload().type())
        .with("payload_bytes", payload().bytes().length);
    exitCode().ifPresent(code -> members.with("exit_code", code));
    return members;
  }

  Payload payload() {
    return entry.existing().payload();
  }

  /** How the command ended, where the record is that of a command. */
  OptionalInt exitCode() {
    if (!payload().type().equals(RunCodec.TYPE)) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(new RunCodec().decode(payload().bytes()).exitCode());
    } catch (RunCodec.ForeignRecord e) {
      return OptionalInt.empty();
    }
  }

  private static Duration atLeastZero(Duration left) {
    return left.isNegative() ? Duration.ZERO : left;
  }
}
