package dev.semel.cli.tui;

import dev.semel.admin.KeyRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adjacent pages of a listing. Listings only go forward, so the beginning of each earlier page is
 * remembered.
 *
 * @param starts where the pages up to the last one held began
 * @param first index in {@code starts} of the first page held
 */
public record KeyPages(List<Start> starts, int first, List<Page> held) {
  static final KeyPages NONE = new KeyPages(List.of(), 0, List.of());

  /** Limit of remembered pages, and so of the way back. */
  static final int MAX_STARTS = 10_000;

  /**
   * A page is dropped when at least this many rows remain on its side of the chosen one. More than
   * {@link KeyWindow#MARGIN}, so that a dropped page is not the next one needed.
   */
  static final int KEPT = 400;

  /**
   * The beginning of a page.
   *
   * @param before rows on the pages before
   */
  record Start(Ask ask, long before) {}

  /** The request for a page. */
  record Ask(String cursor, int rows) {}

  /**
   * Some rows.
   *
   * @param next where the next page begins; empty: there is none
   * @param joined whether it consists of several pages with few rows
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

  /** Number of rows before the first one held. */
  long before() {
    return none() ? 0 : starts.get(first).before();
  }

  /** Whether the held rows reach to the end. */
  boolean whole() {
    return !none() && held.getLast().next().isEmpty();
  }

  /** Whether there are earlier rows whose beginnings are forgotten. */
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

  /**
   * The request for the page with this row, or for the last page; empty if that is a joined one.
   */
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

  /** Index of the held page that began there; -1: none. */
  int indexOf(Ask ask) {
    for (int i = 0; i < held.size(); i++) {
      if (starts.get(first + i).ask().cursor().equals(ask.cursor())) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns a copy with one page read again. If that ends elsewhere now, the pages after it are
   * dropped.
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
      // A filter may find few rows per page: short pages are joined, or only empty ones would be
      // held.
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
   * Returns a copy with the page before. If it does not lead to the first page held, the pages held
   * are dropped, and read again from its end on.
   */
  KeyPages prepended(Page page) {
    if (!page.next().equals(starts.get(first).ask().cursor())) {
      return new KeyPages(starts.subList(0, first), first - 1, List.of(page));
    }
    List<Page> pages = new ArrayList<>(held);
    pages.addFirst(page);
    return new KeyPages(starts, first - 1, pages);
  }

  /** How far the held rows move when this page comes before them. */
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
