package dev.semel.cli.tui;

import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of the listing around the chosen row: a few pages, however many keys there are. Listings
 * only go forward, so it remembers where each page before began.
 *
 * @param starts where the pages up to the last one held began
 * @param first which of them the first one held is
 * @param pages those held
 * @param selected a row among those held
 * @param asked a page is on its way
 */
record KeyWindow(
    KeyFilter filter,
    List<Start> starts,
    int first,
    List<Page> pages,
    int selected,
    boolean asked) {
  /** Rows asked for at a time. */
  static final int PAGE_ROWS = 200;

  /** Most pages held. */
  static final int MAX_PAGES = 4;

  /** With fewer rows than this beyond the chosen one, more are asked for. */
  static final int MARGIN = 100;

  /**
   * Where a page began.
   *
   * @param before rows on the pages before
   */
  record Start(String cursor, long before) {}

  /**
   * Some rows.
   *
   * @param next where the page after begins; empty: there is none
   * @param joined from several pages with few rows each
   */
  record Page(List<KeyRecord> rows, String next, Instant readAt, boolean joined) {}

  KeyWindow {
    starts = List.copyOf(starts);
    pages = List.copyOf(pages);
  }

  static KeyWindow of(KeyFilter filter) {
    return new KeyWindow(filter, List.of(), 0, List.of(), 0, false);
  }

  int rows() {
    return pages.stream().mapToInt(page -> page.rows().size()).sum();
  }

  /** A row and when it was read. */
  record Row(KeyRecord record, Instant readAt) {}

  Optional<Row> row(int index) {
    int left = index;
    for (Page page : pages) {
      if (left < page.rows().size()) {
        return left < 0
            ? Optional.empty()
            : Optional.of(new Row(page.rows().get(left), page.readAt()));
      }
      left -= page.rows().size();
    }
    return Optional.empty();
  }

  Optional<KeyRecord> chosen() {
    return row(selected).map(Row::record);
  }

  /** The chosen row's number among all, from 1; 0: there is none. */
  long place() {
    return rows() == 0 ? 0 : starts.get(first).before() + selected + 1;
  }

  /** Whether the listing was read to its end. */
  boolean whole() {
    return !pages.isEmpty() && pages.getLast().next().isEmpty();
  }

  /** How many rows there are at least; all, if {@link #whole}. */
  long known() {
    return pages.isEmpty() ? 0 : starts.get(first).before() + rows();
  }

  KeyWindow moved(long by) {
    int last = Math.max(0, rows() - 1);
    return new KeyWindow(
        filter, starts, first, pages, (int) Math.clamp(selected + by, 0L, last), asked);
  }

  KeyWindow asking(boolean now) {
    return new KeyWindow(filter, starts, first, pages, selected, now);
  }

  /** The cursor of the page that is needed next, if one is. */
  Optional<String> needed() {
    if (asked) {
      return Optional.empty();
    }
    if (pages.isEmpty()) {
      return Optional.of("");
    }
    if (!whole() && rows() - selected <= MARGIN) {
      return Optional.of(pages.getLast().next());
    }
    return first > 0 && selected < MARGIN
        ? Optional.of(starts.get(first - 1).cursor())
        : Optional.empty();
  }

  /** The cursor of the page with the chosen row, to be read again; none while it can't be. */
  Optional<String> stale() {
    int at = first + pageOfSelected();
    return asked || pages.isEmpty() || pages.get(at - first).joined()
        ? Optional.empty()
        : Optional.of(starts.get(at).cursor());
  }

  private int pageOfSelected() {
    int left = selected;
    for (int i = 0; i < pages.size(); i++) {
      left -= pages.get(i).rows().size();
      if (left < 0) {
        return i;
      }
    }
    return Math.max(0, pages.size() - 1);
  }

  /** With a page that arrived; one that no longer fits changes nothing. */
  KeyWindow with(String cursor, KeyPage page, Instant now) {
    Page arrived = new Page(page.keys(), page.next(), now, false);
    for (int i = 0; i < pages.size(); i++) {
      if (starts.get(first + i).cursor().equals(cursor)) {
        return replaced(i, arrived);
      }
    }
    if (pages.isEmpty()) {
      return cursor.isEmpty()
          ? new KeyWindow(filter, List.of(new Start("", 0)), 0, List.of(arrived), 0, false)
          : asking(false);
    }
    if (cursor.equals(pages.getLast().next())) {
      return appended(cursor, arrived);
    }
    return first > 0 && starts.get(first - 1).cursor().equals(cursor)
        ? prepended(arrived)
        : asking(false);
  }

  /** What follows a page that ends elsewhere now is not known any more. */
  private KeyWindow replaced(int at, Page page) {
    Optional<KeyRecord> before = chosen();
    List<Page> held = new ArrayList<>(pages);
    List<Start> known = new ArrayList<>(starts);
    boolean same = held.get(at).next().equals(page.next());
    held.set(at, page);
    if (!same) {
      held.subList(at + 1, held.size()).clear();
      known.subList(first + at + 1, known.size()).clear();
    }
    return new KeyWindow(filter, known, first, held, selected, false).at(before);
  }

  private KeyWindow appended(String cursor, Page page) {
    List<Page> held = new ArrayList<>(pages);
    List<Start> known = new ArrayList<>(starts);
    Page last = held.getLast();
    if (last.rows().size() + page.rows().size() <= PAGE_ROWS) {
      // A filter finds few among many: their pages are one, else only empty ones would be held.
      List<KeyRecord> both = new ArrayList<>(last.rows());
      both.addAll(page.rows());
      held.set(held.size() - 1, new Page(both, page.next(), page.readAt(), true));
      return new KeyWindow(filter, known, first, held, selected, false);
    }
    known.add(new Start(cursor, known()));
    held.add(page);
    boolean full = held.size() > MAX_PAGES;
    int dropped = full ? held.removeFirst().rows().size() : 0;
    return new KeyWindow(
        filter, known, full ? first + 1 : first, held, Math.max(0, selected - dropped), false);
  }

  private KeyWindow prepended(Page page) {
    List<Page> held = new ArrayList<>(pages);
    List<Start> known = new ArrayList<>(starts);
    held.addFirst(page);
    if (held.size() > MAX_PAGES) {
      held.removeLast();
      known.removeLast();
    }
    return new KeyWindow(filter, known, first - 1, held, selected + page.rows().size(), false);
  }

  /** With the same key chosen as before, if it is still there. */
  private KeyWindow at(Optional<KeyRecord> before) {
    KeyWindow clamped = moved(0);
    if (before.isEmpty()) {
      return clamped;
    }
    for (int i = 0; i < rows(); i++) {
      if (row(i).orElseThrow().record().key().equals(before.get().key())) {
        return moved((long) i - selected);
      }
    }
    return clamped;
  }
}
