package dev.semel.cli.tui;

import dev.semel.admin.KeyRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pages of a listing that lie side by side. Listings only go forward, so it is remembered where
 * each page before them began.
 *
 * @param starts where the pages up to the last one held began
 * @param first which of them the first one held is
 */
public record KeyPages(List<Start> starts, int first, List<Page> held) {
  static final KeyPages NONE = new KeyPages(List.of(), 0, List.of());

  /** Pages before that are remembered: the way back is no longer. */
  static final int MAX_STARTS = 10_000;

  /**
   * A page goes when at least so many rows are left on its side of the chosen one. More than {@link
   * KeyWindow#MARGIN}: what goes must not be what is asked for next.
   */
  static final int KEPT = 400;

  /**
   * Where a page began.
   *
   * @param before rows on the pages before
   */
  record Start(Ask ask, long before) {}

  /** A page as it is asked for. */
  record Ask(String cursor, int rows) {}

  /**
   * Some rows.
   *
   * @param next where the page after begins; empty: there is none
   * @param joined from several pages with few rows each
   */
  record Page(List<KeyRecord> rows, String next, Instant readAt, boolean joined) {}

  /** A row and when it was read. */
  public record Row(KeyRecord record, Instant readAt) {}

  public KeyPages {
    starts = List.copyOf(starts);
    held = List.copyOf(held);
  }

  public boolean none() {
    return held.isEmpty();
  }

  int rows() {
    return held.stream().mapToInt(page -> page.rows().size()).sum();
  }

  /** Rows before the first one held. */
  long before() {
    return none() ? 0 : starts.get(first).before();
  }

  /** Whether they reach to the end. */
  boolean whole() {
    return !none() && held.getLast().next().isEmpty();
  }

  /** Whether there are rows before, and the way to them is forgotten. */
  boolean cutOff() {
    return first == 0 && before() > 0;
  }

  Optional<Ask> previous() {
    return first > 0 ? Optional.of(starts.get(first - 1).ask()) : Optional.empty();
  }

  Optional<Row> row(int index) {
    int left = index;
    for (Page page : held) {
      if (left < page.rows().size()) {
        return left < 0
            ? Optional.empty()
            : Optional.of(new Row(page.rows().get(left), page.readAt()));
      }
      left -= page.rows().size();
    }
    return Optional.empty();
  }

  /** The page with this row, or the last one, to be asked for again; a joined one can't be. */
  Optional<Ask> again(int row) {
    int left = row;
    int at = 0;
    while (at < held.size() - 1 && left >= held.get(at).rows().size()) {
      left -= held.get(at).rows().size();
      at++;
    }
    return none() || held.get(at).joined()
        ? Optional.empty()
        : Optional.of(starts.get(first + at).ask());
  }

  /** Which of those held began there; -1: none. */
  int indexOf(Ask ask) {
    for (int i = 0; i < held.size(); i++) {
      if (starts.get(first + i).ask().cursor().equals(ask.cursor())) {
        return i;
      }
    }
    return -1;
  }

  /**
   * With one of them read again. What follows one that ends elsewhere now is not known any more.
   */
  KeyPages replaced(int at, Page page) {
    List<Page> pages = new ArrayList<>(held);
    boolean same = pages.set(at, page).next().equals(page.next());
    return same
        ? new KeyPages(starts, first, pages)
        : new KeyPages(starts.subList(0, first + at + 1), first, pages.subList(0, at + 1));
  }

  KeyPages appended(Ask ask, Page page) {
    List<Page> pages = new ArrayList<>(held);
    if (!none() && pages.getLast().rows().size() + page.rows().size() <= KeyWindow.PAGE_ROWS) {
      // A filter finds few among many: their pages are one, else only empty ones would be held.
      List<KeyRecord> both = new ArrayList<>(pages.removeLast().rows());
      both.addAll(page.rows());
      pages.add(new Page(both, page.next(), page.readAt(), true));
      return new KeyPages(starts, first, pages);
    }
    List<Start> known = new ArrayList<>(starts);
    known.add(new Start(ask, before() + rows()));
    pages.add(page);
    int forgotten = Math.clamp(known.size() - MAX_STARTS, 0, first);
    return new KeyPages(known.subList(forgotten, known.size()), first - forgotten, pages);
  }

  /**
   * With the page before. If it does not lead to the first one held any more, or is only the
   * beginning of a joined one, then those are read again from its end on.
   */
  KeyPages prepended(Page page) {
    if (!page.next().equals(starts.get(first).ask().cursor())) {
      return new KeyPages(starts.subList(0, first), first - 1, List.of(page));
    }
    List<Page> pages = new ArrayList<>(held);
    pages.addFirst(page);
    return new KeyPages(starts, first - 1, pages);
  }

  /** How far the rows held have moved when this page comes before them. */
  long shift(Page page) {
    return page.next().equals(starts.get(first).ask().cursor())
        ? page.rows().size()
        : starts.get(first).before() - starts.get(first - 1).before();
  }

  KeyPages withoutFarBefore(int row) {
    int gone = 0;
    int left = row;
    while (gone < held.size() - 1 && left - held.get(gone).rows().size() >= KEPT) {
      left -= held.get(gone).rows().size();
      gone++;
    }
    return gone == 0 ? this : new KeyPages(starts, first + gone, held.subList(gone, held.size()));
  }

  KeyPages withoutFarBehind(int row) {
    int size = held.size();
    int left = rows() - 1 - row;
    while (size > 1 && left - held.get(size - 1).rows().size() >= KEPT) {
      left -= held.get(size - 1).rows().size();
      size--;
    }
    return size == held.size()
        ? this
        : new KeyPages(starts.subList(0, first + size), first, held.subList(0, size));
  }
}
