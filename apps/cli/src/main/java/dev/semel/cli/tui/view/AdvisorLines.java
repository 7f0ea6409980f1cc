package dev.semel.cli.tui.view;

import dev.semel.Operation;
import dev.semel.advice.Advice;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertSeverity;
import dev.semel.cli.tui.OverviewData;

/** Draws alerts first, then recommendations. */
final class AdvisorLines {
  private AdvisorLines() {}

  static void draw(Canvas sheet, OverviewData overview) {
    int y = 0;
    for (Alert alert : overview.firing()) {
      boolean critical = alert.rule().severity() == AlertSeverity.CRITICAL;
      sheet.text(1, y, "▲", critical ? TextTone.BAD : TextTone.WARN);
      String subject = alert.subject().isEmpty() ? "" : " " + alert.subject();
      sheet.text(3, y, alert.rule().word() + subject, TextTone.STRONG);
      y += 1 + sheet.wrapped(3, y + 1, alert.text(), TextTone.MUTED);
    }
    for (Advice advice : overview.counsel().advice()) {
      sheet.text(1, y, "●", advice.applicable() ? TextTone.GOOD : TextTone.WARN);
      String about = advice.operation().map(Operation::name).orElse("");
      int x = sheet.text(3, y, about, TextTone.STRONG);
      sheet.text(x, y, (about.isEmpty() ? "" : ": ") + advice.title(), TextTone.PLAIN);
      y += 1 + sheet.wrapped(3, y + 1, advice.todo(), TextTone.MUTED);
    }
    if (y == 0) {
      sheet.text(1, 0, "nothing to tune", TextTone.MUTED);
    }
  }
}
