package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.admin.KeyRecord;
import dev.tamboui.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts that someone chose who means no good. */
class ShownTest {
  private static final List<String> HOSTILE =
      List.of(
          "\u001b[2J\u001b]0;owned\u0007",
          "\u009b31mred",
          "a\rb\nc\td",
          "\u202eevil\u202c",
          "\u2066isolated\u2069",
          "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
          "\u0645\u0631\u062d\u0628\u0627",
          "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
          "\ud83d\udc4d\ud83c\udffd",
          "\ud83c\udde9\ud83c\uddea",
          "\u2708\ufe0f",
          "\u231a\u2b50\ud83d\ude80",
          "\u6f22\u5b57\u304b\u306a\ud55c\uae00",
          "Z" + "\u0301\u0302\u0303".repeat(60),
          "\u0301begins with a mark",
          "\ud800lone",
          "\ue000private",
          "\u1112\u1161\u11ab",
          "x".repeat(256),
          "\u00ad\u200b\ufeff",
          "\u0000\u007f\u0085");

  @Test
  void nothingThatATerminalObeysIsLeft() {
    for (String text : HOSTILE) {
      assertThat(Shown.safe(text))
          .matches(shown -> shown.codePoints().noneMatch(Character::isISOControl))
          .doesNotContain("\u202e", "\u200d", "\ufe0f", "\u2066");
      assertThat(Shown.safe(Shown.safe(text))).isEqualTo(Shown.safe(text));
    }
  }

  @Test
  void cutTextsAreNeverWiderThanTheirColumn() {
    for (String text : HOSTILE) {
      for (int columns = 0; columns < 40; columns++) {
        assertThat(Shown.width(Shown.cut(text, columns))).isLessThanOrEqualTo(columns);
        assertThat(Shown.width(Shown.middle(text, columns))).isLessThanOrEqualTo(columns);
      }
    }
  }

  @Test
  void differentTextsLookDifferent() {
    assertThat(Shown.safe("a\u200bb")).isNotEqualTo(Shown.safe("ab"));
    assertThat(Shown.safe("\u2708\ufe0f")).isNotEqualTo(Shown.safe("\u2708"));
  }

  /** As they would come from a server that keeps no rules: a key itself refuses most of them. */
  @Test
  void bordersStayWhereTheyAreWhateverKeysAreCalled() {
    List<KeyRecord> keys = new ArrayList<>();
    for (String text : HOSTILE) {
      try {
        String id = text.length() > 240 ? text.substring(0, 240) : text;
        KeyRecord record = Seen.key("x", keys.size());
        keys.add(
            new KeyRecord(
                Key.of("payments", id),
                record.state(),
                1,
                text,
                record.age(),
                record.leaseLeft(),
                record.retentionLeft(),
                text,
                text,
                1,
                record.exitCode()));
      } catch (dev.semel.InvalidInput e) {
        // refused: it can't be a key
      }
    }
    assertThat(keys).hasSizeGreaterThan(8);
    for (Model model : List.of(Seen.model(148, 42, keys), Seen.model(80, 40, keys))) {
      for (Model shown : List.of(model.on(Panel.KEYS), model, Seen.details(model))) {
        Buffer buffer = Snapshot.frame(shown, Seen.dark());
        for (int y = 3; y < buffer.height() - 2; y++) {
          assertThat(buffer.get(0, y).symbol()).isIn("\u2502", "\u256d", "\u2570");
          assertThat(buffer.get(buffer.width() - 1, y).symbol())
              .as("row %d of %s", y, Snapshot.lines(buffer).get(y))
              .isIn("\u2502", "\u256e", "\u256f");
        }
        Snapshot.lines(buffer)
            .forEach(
                line -> assertThat(line.codePoints().noneMatch(Character::isISOControl)).isTrue());
      }
    }
  }
}
