package dev.semel.cli.tui.view;

import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.TimelineEntry;
import dev.semel.cli.tui.OverlayDialog;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws one key: its state, and its timeline from the claim to the end of its retention. */
final class DetailsOverlay {
  private static final int WIDTH = 96;
  private static final int FIGURES = 7;
  private static final int LEAST_MOMENTS = 12;
  private static final int WHEN = 15;
  private static final int WHAT = 14;
  private static final int FINGERPRINT_SHOWN = 26;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DetailsOverlay() {}

  static void draw(Canvas screen, OverlayDialog.Details details, Instant now) {
    screen.dim();
    int moments = details.line().map(line -> line.moments().size()).orElse(1);
    int rows = FIGURES + 6 + Math.max(LEAST_MOMENTS / 2, moments);
    Canvas sheet =
        screen.over(
            TerminalText.middle(details.key().text(), Math.min(WIDTH, screen.width()) - 8),
            WIDTH,
            Math.min(rows, screen.height() - 2));
    int y = details.record().map(record -> figures(sheet, record, details, now)).orElse(0);
    if (y == 0) {
      sheet.text(
          1, 0, "There is no record: its retention ended, or it was deleted.", TextTone.WARN);
      y = 1;
    }
    sheet.rule(y, "Life line (UTC)", TextTone.STRONG);
    Canvas life = sheet.part(0, y + 1, sheet.width(), sheet.height() - y - 2);
    details
        .line()
        .ifPresentOrElse(
            line -> life(life, line, details.scroll(), now),
            () -> life.text(1, 0, "reading …", TextTone.MUTED));
    int x = sheet.text(1, sheet.height() - 1, " d Delete ", TextTone.BUTTON_BAD);
    sheet.text(x + 2, sheet.height() - 1, "↑↓ scroll   r read again   Esc close", TextTone.MUTED);
  }

  private static String claimant(String requestId) {
    return ClaimingProcess.joined(
        ClaimingProcess.ownId(requestId),
        ClaimingProcess.in(requestId).map(ClaimingProcess::toString).orElse(""));
  }

  private static int figures(
      Canvas sheet, KeyRecord record, OverlayDialog.Details details, Instant now) {
    sheet.pair(0, "Operation", record.key().operation().name(), TextTone.STRONG);
    sheet.pair(1, "State", KeysPanel.state(record.state()), KeysPanel.tone(record.state()));
    Duration left = KeysPanel.left(record, details.readAt(), now);
    sheet.pair(2, "TTL left", NumberFormats.time(left), KeysPanel.tone(record, left));
    sheet.pair(3, "Attempt", Integer.toString(record.attempt()), TextTone.STRONG);
    sheet.pair(
        4,
        "Claimed by request",
        record.requestId().isEmpty() ? "it gave no id" : claimant(record.requestId()),
        record.requestId().isEmpty() ? TextTone.MUTED : TextTone.STRONG);
    String result =
        record.payloadBytes() == 0
            ? "nothing kept"
            : "%s, %s".formatted(NumberFormats.bytes(record.payloadBytes()), record.payloadType());
    sheet.pair(5, "Response", result, TextTone.ACCENT);
    sheet.pair(
        6,
        "Fingerprint",
        record.fingerprint().isEmpty()
            ? "none"
            : TerminalText.middle(record.fingerprint(), FINGERPRINT_SHOWN),
        TextTone.MUTED);
    return FIGURES;
  }

  private static void life(Canvas sheet, KeyTimeline line, int scroll, Instant now) {
    List<TimelineEntry> moments = line.moments();
    if (moments.isEmpty()) {
      sheet.text(1, 0, "nothing is known of it", TextTone.MUTED);
    }
    int top = Math.min(scroll, Math.max(0, moments.size() - sheet.height()));
    for (int y = 0; y < sheet.height() && top + y < moments.size(); y++) {
      TimelineEntry moment = moments.get(top + y);
      boolean today = same(moment.at(), now);
      sheet.text(1, y, (today ? TIME : DAY).format(moment.at()), TextTone.MUTED);
      sheet.text(1 + WHEN, y, symbol(moment), tone(moment));
      sheet.text(3 + WHEN, y, TerminalText.cut(moment.kind(), WHAT - 1), tone(moment));
      sheet.text(3 + WHEN + WHAT, y, facts(moment), TextTone.PLAIN);
    }
    boolean more = top + sheet.height() < moments.size();
    if (more) {
      sheet.right(sheet.width() - 1, sheet.height() - 1, " ↓ more ", TextTone.BUTTON);
    }
  }

  private static boolean same(Instant at, Instant now) {
    return at.atZone(ZoneOffset.UTC).toLocalDate().equals(now.atZone(ZoneOffset.UTC).toLocalDate());
  }

  private static String facts(TimelineEntry moment) {
    String facts =
        moment.facts().entrySet().stream()
            .map(fact -> fact.getKey() + "=" + fact.getValue())
            .collect(Collectors.joining(" "));
    return PrintableText.word(moment.source()) + (facts.isEmpty() ? "" : "  " + facts);
  }

  private static String symbol(TimelineEntry moment) {
    return switch (moment.kind()) {
      case "claimed", "enqueued" -> "●";
      case "completed", "published", "consumed" -> "✓";
      case "replayed" -> "↺";
      case "in-flight", "mismatched", "redelivered" -> "×";
      case "stands" -> "◆";
      case "expires", "lease-ends", "due" -> "◷";
      default -> "·";
    };
  }

  private static TextTone tone(TimelineEntry moment) {
    return switch (moment.kind()) {
      case "claimed", "enqueued" -> TextTone.ACCENT;
      case "completed", "published", "consumed" -> TextTone.GOOD;
      case "replayed" -> TextTone.INFO;
      case "in-flight", "mismatched", "in-doubt", "fenced", "dead", "failure-stored" ->
          TextTone.BAD;
      case "stands" -> TextTone.STRONG;
      default -> TextTone.MUTED;
    };
  }
}
