package dev.semel.cli.tui.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.admin.KeyRecord;
import dev.semel.cli.tui.Panel;
import dev.semel.cli.tui.ScreenSnapshot;
import dev.semel.cli.tui.Seen;
import dev.semel.cli.tui.TuiModel;
import dev.tamboui.buffer.Buffer;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts of an attacker. */
public class TerminalTextTest {
  private static final List<String> HOSTILE =
      List.of(
          "\u001b[2J\u001b]0;owned\u0007",
          "\u009b31mred",
          "a\rb\nc\td",
          "\u202eevil\u202c",
          "\u2066isolated\u2069",
          "\u200emarked\u200f\u061c",
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
          "\u6f22".repeat(75),
          "\ud83d\ude80".repeat(55),
          "\u00ad\u200b\ufeff",
          "\u0000\u007f\u0085");

  @Test
  void nothingThatATerminalObeysIsLeft() {
    for (String text : HOSTILE) {
      assertThat(TerminalText.safe(text))
          .matches(shown -> shown.codePoints().noneMatch(Character::isISOControl))
          .matches(shown -> shown.codePoints().noneMatch(TerminalTextTest::turns))
          .doesNotContain("\u200d", "\ufe0f");
      assertThat(TerminalText.safe(TerminalText.safe(text))).isEqualTo(TerminalText.safe(text));
    }
  }

  /** Whether text after it changes its direction. */
  private static boolean turns(int c) {
    return "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069".indexOf(c)
        >= 0;
  }

  @Test
  void cutTextsAreNeverWiderThanTheirColumn() {
    for (String text : HOSTILE) {
      for (int columns = 0; columns < 40; columns++) {
        assertThat(TerminalText.width(TerminalText.cut(text, columns)))
            .isLessThanOrEqualTo(columns);
        assertThat(TerminalText.width(TerminalText.middle(text, columns)))
            .isLessThanOrEqualTo(columns);
      }
    }
  }

  @Test
  void differentTextsLookDifferent() {
    assertThat(TerminalText.safe("a\u200bb")).isNotEqualTo(TerminalText.safe("ab"));
    assertThat(TerminalText.safe("\u2708\ufe0f")).isNotEqualTo(TerminalText.safe("\u2708"));
  }

  @Test
  void whatTerminalsDrawInDifferentWidthsIsWrittenAsEscapes() {
    for (String text :
        List.of(
            "\ud83d\udc68\u200d\ud83d\udc69",
            "\ud83d\udc4d\ud83c\udffd",
            "\ud83c\udde9\ud83c\uddea",
            "\u2708\ufe0f",
            "Z\u0301\u0302\u0303\u0304",
            "\u0301begins with a mark",
            "\ue000",
            "\u0378",
            "x\u1161")) {
      assertThat(TerminalText.safe(text))
          .isNotEqualTo(Normalizer.normalize(text, Normalizer.Form.NFC));
    }
  }

  /** As from a server without rules: a key itself refuses most of them. */
  public static List<KeyRecord> keys() {
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
    return keys;
  }

  @Test
  void bordersAndColumnsStayWhereTheyAreWhateverKeysAreCalled() {
    List<KeyRecord> keys = keys();
    assertThat(keys).hasSizeGreaterThan(8);
    for (TuiModel model : List.of(Seen.model(148, 42, keys), Seen.model(80, 40, keys))) {
      for (TuiModel shown : List.of(model.on(Panel.KEYS), model, Seen.details(model))) {
        Buffer buffer = ScreenSnapshot.frame(shown, Seen.dark());
        for (int y = 3; y < buffer.height() - 2; y++) {
          assertThat(buffer.get(0, y).symbol()).isIn("\u2502", "\u256d", "\u2570");
          assertThat(buffer.get(buffer.width() - 1, y).symbol())
              .as("row %d of %s", y, ScreenSnapshot.lines(buffer).get(y))
              .isIn("\u2502", "\u256e", "\u256f");
        }
        for (int y = 0; y < buffer.height(); y++) {
          assertThat(columns(buffer, y))
              .as(ScreenSnapshot.lines(buffer).get(y))
              .isEqualTo(model.width());
        }
        ScreenSnapshot.lines(buffer)
            .forEach(
                line -> assertThat(line.codePoints().noneMatch(Character::isISOControl)).isTrue());
      }
      Buffer list = ScreenSnapshot.frame(model.on(Panel.KEYS), Seen.dark());
      List<String> lines = ScreenSnapshot.lines(list);
      int heading = 0;
      while (!lines.get(heading).contains("OPERATION")) {
        heading++;
      }
      int gap = lines.get(heading).indexOf("OPERATION") - 1;
      for (int y = heading + 1; y <= heading + keys.size(); y++) {
        assertThat(list.get(gap, y).symbol()).as(lines.get(y)).isEqualTo(" ");
        assertThat(list.get(gap + 1, y).symbol()).as(lines.get(y)).isEqualTo("p");
      }
    }
  }

  /** The terminal's view of a row, measured without the program's own function. */
  private static int columns(Buffer buffer, int y) {
    int columns = 0;
    for (int x = 0; x < buffer.width(); x++) {
      columns += buffer.get(x, y).symbol().codePoints().map(TerminalTextTest::columns).sum();
    }
    return columns;
  }

  private static int columns(int c) {
    if (Character.getType(c) == Character.NON_SPACING_MARK) {
      return 0;
    }
    return switch (Character.UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, HANGUL -> 2;
      default -> Character.isEmojiPresentation(c) ? 2 : 1;
    };
  }
}
