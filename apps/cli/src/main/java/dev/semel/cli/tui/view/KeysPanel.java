package dev.semel.cli.tui.view;

import dev.semel.Tenant;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.cli.tui.KeyPages;
import dev.semel.cli.tui.KeyWindow;
import dev.semel.cli.tui.OverlayDialog;
import dev.semel.cli.tui.Panel;
import dev.semel.cli.tui.TuiModel;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Draws the listing of keys: state, duplicates, and the retention left. */
final class KeysPanel {
  private static final int STATE = 10;
  private static final int DUPLICATES = 5;
  private static final int BAR = 7;
  private static final int TTL = 8;
  private static final int OPERATION = 12;
  private static final int WITH_OPERATION = 48;
  private static final int WITH_BAR = 62;
  private static final int WITH_DUPLICATES = 36;
  private static final Duration SOON = Duration.ofHours(1);
  private static final double LATE = 0.25;

  private KeysPanel() {}

  static String title(TuiModel model) {
    KeyWindow keys = model.keys();
    boolean all = keys.filter().text().isEmpty();
    long counted = all ? model.overview().map(o -> o.stats().usage().activeKeys()).orElse(0L) : 0;
    long known = Math.max(keys.known(), keys.whole() ? 0 : counted);
    String more = keys.whole() || counted > keys.known() ? "" : "+";
    return "Idempotency keys %s/%s%s"
        .formatted(NumberFormats.count(keys.place()), NumberFormats.count(known), more);
  }

  /** The pending request; empty: none. */
  static String foot(TuiModel model) {
    KeyWindow keys = model.keys();
    if (keys.wish().none()) {
      return "";
    }
    if (model.link().away() || keys.reading() == KeyWindow.Reading.FAILED) {
      return "no answer, trying again · Esc stops";
    }
    return keys.wish().end() ? "to the end, page by page · Esc stops" : "loading …";
  }

  static void draw(Canvas sheet, TuiModel model) {
    boolean filtering = model.dialog() instanceof OverlayDialog.Filtering;
    boolean filtered = filtering || !model.keys().filter().text().isEmpty();
    Canvas list = filtered ? sheet.part(0, 0, sheet.width(), sheet.height() - 1) : sheet;
    if (filtered) {
      String text =
          model.dialog() instanceof OverlayDialog.Filtering typing
              ? typing.text() + "▏"
              : model.keys().filter().text();
      int x = sheet.text(1, sheet.height() - 1, "/", TextTone.ACCENT);
      sheet.text(x, sheet.height() - 1, text, filtering ? TextTone.STRONG : TextTone.MUTED);
    }
    Columns columns = Columns.of(list.width());
    headings(list, columns);
    rows(list.below(1), model, columns);
  }

  /** First column of each part; -1: there is no room for it. */
  private record Columns(int key, int operation, int state, int duplicates, int bar, int ttl) {
    static Columns of(int width) {
      int ttl = width - 1 - TTL;
      int bar = width >= WITH_BAR ? ttl - BAR : -1;
      int left = bar < 0 ? ttl : bar;
      int duplicates = width >= WITH_DUPLICATES ? left - DUPLICATES : -1;
      left = duplicates < 0 ? left : duplicates;
      int state = left - STATE;
      int operation = width >= WITH_OPERATION ? state - OPERATION : -1;
      return new Columns(2, operation, state, duplicates, bar, ttl);
    }

    int keyEnd() {
      return operation < 0 ? state : operation;
    }
  }

  private static void headings(Canvas sheet, Columns columns) {
    sheet.text(columns.key, 0, "KEY", TextTone.MUTED);
    at(sheet, columns.operation, 0, "OPERATION", TextTone.MUTED);
    at(sheet, columns.state, 0, "STATE", TextTone.MUTED);
    at(sheet, columns.duplicates, 0, "DUP", TextTone.MUTED);
    sheet.text(columns.bar < 0 ? columns.ttl : columns.bar, 0, "TTL", TextTone.MUTED);
  }

  private static void at(Canvas sheet, int x, int y, String text, TextTone tone) {
    if (x >= 0) {
      sheet.text(x, y, text, tone);
    }
  }

  private static void rows(Canvas sheet, TuiModel model, Columns columns) {
    KeyWindow keys = model.keys();
    if (keys.rows() == 0) {
      boolean away = model.link().away() && keys.pages().none();
      String none = keys.filter().text().isEmpty() ? "no keys" : "no key with this text";
      sheet.text(
          2, 0, away ? "it does not answer" : keys.whole() ? none : "reading …", TextTone.MUTED);
      return;
    }
    // The chosen row stays in the middle, so that pages come and go around it without a jump.
    int top =
        Math.clamp(
            keys.selected() - sheet.height() / 2, 0, Math.max(0, keys.rows() - sheet.height()));
    for (int y = 0; y < sheet.height() && top + y < keys.rows(); y++) {
      KeyPages.Row row = keys.row(top + y).orElseThrow();
      row(sheet.part(0, y, sheet.width(), 1), row, model, columns);
      if (top + y == keys.selected()) {
        sheet.mark(y, model.panel() == Panel.KEYS ? TextTone.CHOSEN : TextTone.STRONG);
        sheet.text(0, y, "▌", TextTone.FOCUS);
      }
    }
  }

  private static void row(Canvas sheet, KeyPages.Row row, TuiModel model, Columns columns) {
    KeyRecord record = row.record();
    String name = name(record, columns.operation >= 0);
    sheet.text(
        columns.key,
        0,
        TerminalText.middle(name, columns.keyEnd() - columns.key - 1),
        TextTone.ACCENT);
    if (columns.operation >= 0) {
      String operation = record.key().operation().name();
      sheet.text(
          columns.operation, 0, TerminalText.middle(operation, OPERATION - 1), TextTone.PLAIN);
    }
    sheet.text(columns.state, 0, state(record.state()), tone(record.state()));
    int duplicates = model.feed().duplicatesOf(record.key().text());
    at(
        sheet,
        columns.duplicates,
        0,
        duplicates == 0 ? "·" : "×" + Math.min(duplicates, 999),
        duplicates == 0 ? TextTone.MUTED : TextTone.BAD);
    ttl(sheet, record, left(record, row.readAt(), model.now()), columns);
  }

  private static void ttl(Canvas sheet, KeyRecord record, Duration left, Columns columns) {
    double share = share(record, left);
    TextTone tone = tone(record, left);
    if (columns.bar >= 0) {
      sheet.text(columns.bar, 0, "─".repeat(BAR - 1), TextTone.BORDER);
      sheet.text(columns.bar, 0, BarChart.lying(share, BAR - 1), tone);
    }
    sheet.text(columns.ttl, 0, left.isZero() ? "ended" : NumberFormats.time(left), tone);
  }

  private static double share(KeyRecord record, Duration left) {
    double whole = record.age().plus(record.retentionLeft()).toMillis();
    return whole <= 0 ? 0 : left.toMillis() / whole;
  }

  /** The tone for a retention left. */
  static TextTone tone(KeyRecord record, Duration left) {
    if (share(record, left) >= LATE) {
      return TextTone.GOOD;
    }
    return left.compareTo(SOON) < 0 ? TextTone.BAD : TextTone.WARN;
  }

  /** The retention left now, from the one left when the record was read. */
  static Duration left(KeyRecord record, Instant readAt, Instant now) {
    Duration left = record.retentionLeft().minus(Duration.between(readAt, now));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static String name(KeyRecord record, boolean withoutOperation) {
    String id = record.key().id();
    String named = withoutOperation ? id : record.key().operation() + ":" + id;
    return record.key().tenant().equals(Tenant.DEFAULT)
        ? named
        : record.key().tenant() + "/" + named;
  }

  static String state(KeyState state) {
    return state == KeyState.COMPLETED
        ? "DONE"
        : state.name().toUpperCase(Locale.ROOT).replace('_', '-');
  }

  static TextTone tone(KeyState state) {
    return switch (state) {
      case COMPLETED -> TextTone.GOOD;
      case IN_FLIGHT -> TextTone.WARN;
      case IN_DOUBT, FAILED -> TextTone.BAD;
      case RELEASED -> TextTone.MUTED;
    };
  }
}
