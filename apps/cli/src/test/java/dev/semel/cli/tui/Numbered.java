package dev.semel.cli.tui;

import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A listing of numbers; a cursor is the next number. */
final class Numbered {
  private static final KeyRecord ONE = Seen.key("one", 1);

  private Numbered() {}

  static String id(int number) {
    return "%07d".formatted(number);
  }

  static KeyPage page(KeyPages.Ask ask, int all) {
    int from = from(ask);
    int to = to(ask, all);
    List<KeyRecord> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(Seen.key(id(i), i));
    }
    return new KeyPage(rows, next(to, all));
  }

  /** Pages with as many rows, all equal, because that is much faster. */
  static KeyPage sameRows(KeyPages.Ask ask, int all) {
    int to = to(ask, all);
    return new KeyPage(Collections.nCopies(to - from(ask), ONE), next(to, all));
  }

  private static int from(KeyPages.Ask ask) {
    return ask.cursor().isEmpty() ? 0 : Integer.parseInt(ask.cursor());
  }

  private static int to(KeyPages.Ask ask, int all) {
    return Math.min(all, from(ask) + ask.rows());
  }

  private static String next(int to, int all) {
    return to == all ? "" : Integer.toString(to);
  }
}
