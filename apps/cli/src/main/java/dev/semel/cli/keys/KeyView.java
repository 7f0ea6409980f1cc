package dev.semel.cli.keys;

import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.admin.document.internal.KeyDocument;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonObjectBuilder;
import java.time.Duration;
import java.util.List;

/** Renders a record. */
record KeyView(KeyRecord record) {
  static final String[] HEADINGS = {"KEY", "STATE", "ATTEMPT", "AGE", "KEPT FOR", "BYTES"};

  /** The state's name for programs, with a hint for people. */
  String stateText() {
    return switch (record.state()) {
      case IN_DOUBT -> "lease ended (in doubt)";
      case IN_FLIGHT ->
          "in flight (%s left)"
              .formatted(DurationText.brief(record.leaseLeft().orElse(Duration.ZERO)));
      case COMPLETED, FAILED, RELEASED -> record.state().word();
    };
  }

  boolean ended() {
    return record.state() == KeyState.COMPLETED || record.state() == KeyState.FAILED;
  }

  List<String> cells() {
    return List.of(
        PrintableText.safe(record.key().text()),
        stateText(),
        Integer.toString(record.attempt()),
        DurationText.brief(record.age()),
        DurationText.brief(record.retentionLeft()),
        Integer.toString(record.payloadBytes()));
  }

  /** The values of {@link #cells}, in units that a script can calculate with. */
  String plain() {
    return String.join(
        "\t",
        record.key().text(),
        record.state().word(),
        Integer.toString(record.attempt()),
        Long.toString(record.age().toMillis()),
        Long.toString(record.retentionLeft().toMillis()),
        Integer.toString(record.payloadBytes()));
  }

  JsonObjectBuilder json() {
    return KeyDocument.json(record);
  }
}
