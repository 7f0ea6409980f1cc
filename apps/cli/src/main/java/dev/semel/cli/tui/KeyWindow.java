package dev.semel.cli.tui;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of the listing around the chosen row: a few pages, for any number of keys.
 *
 * @param selected index of a held row
 * @param wish scrolling that waits for more pages
 */
public record KeyWindow(
    KeyFilter filter, KeyPages pages, int selected, PendingScroll wish, Reading reading) {
  /** Rows of one request. */
  static final int PAGE_ROWS = 200;

  /** Rows of one request when the user goes far. */
  static final int FAR_ROWS = ControlCenter.MAX_PAGE;

  /**
   * With fewer rows than this on one side of the chosen one, the next page there is requested: a
   * key that is held down reaches the edge only some tenths of a second later.
   */
  static final int MARGIN = 300;

  /** Whether a page was requested. */
  public enum Reading {
    NOTHING,
    ASKED,
    /** The last request failed. */
    FAILED
  }

  static KeyWindow of(KeyFilter filter) {
    return new KeyWindow(filter, KeyPages.NONE, 0, PendingScroll.NONE, Reading.NOTHING);
  }

  public int rows() {
    return pages.rows();
  }

  public Optional<KeyPages.Row> row(int index) {
    return pages.row(index);
  }

  Optional<KeyRecord> chosen() {
    return row(selected).map(KeyPages.Row::record);
  }

  /** The chosen row's number in the whole listing, from 1; 0: there is none. */
  public long place() {
    return rows() == 0 ? 0 : pages.before() + selected + 1;
  }

  /** Whether the listing was read to its end. */
  public boolean whole() {
    return pages.whole();
  }

  /** Least number of rows; the exact one if {@link #whole}. */
  public long known() {
    return pages.before() + rows();
  }

  /** Moves the choice; the part that is not possible yet stays pending. */
  KeyWindow moved(long by) {
    return settled(pages, selected + wish.rows() + by, false);
  }

  /** Goes to the last row, which reads all pages up to there. */
  KeyWindow toEnd() {
    return settled(pages, selected, true);
  }

  /** Goes to the first row, which may have to be read again. */
  KeyWindow toBeginning() {
    return pages.before() == 0
        ? settled(pages, 0, false)
        : new KeyWindow(filter, KeyPages.NONE, 0, PendingScroll.NONE, reading);
  }

  /** Drops the pending scrolling. */
  KeyWindow still() {
    return new KeyWindow(filter, pages, selected, PendingScroll.NONE, reading);
  }

  KeyWindow reading(Reading now) {
    return new KeyWindow(filter, pages, selected, wish, now);
  }

  boolean asked() {
    return reading == Reading.ASKED;
  }

  /** The request for the page that is needed next, if any. */
  Optional<KeyPages.Ask> needed() {
    if (asked()) {
      return Optional.empty();
    }
    if (pages.none()) {
      return Optional.of(new KeyPages.Ask("", PAGE_ROWS));
    }
    Optional<KeyPages.Ask> before = selected < MARGIN ? pages.previous() : Optional.empty();
    if (whole() || rows() - selected > MARGIN || (wish.back() && before.isPresent())) {
      return before;
    }
    int size = wish.beyond(PAGE_ROWS) ? FAR_ROWS : PAGE_ROWS;
    return Optional.of(new KeyPages.Ask(pages.held().getLast().next(), size));
  }

  /** The request to read the chosen row's page again; empty while that is not possible. */
  Optional<KeyPages.Ask> stale() {
    return asked() ? Optional.empty() : pages.again(selected);
  }

  /** Returns a copy with an arrived page; one that does not fit any more changes nothing. */
  KeyWindow with(KeyPages.Ask ask, KeyPage page, Instant now) {
    KeyPages.Page arrived = new KeyPages.Page(page.keys(), page.next(), now, false);
    KeyWindow idle = reading(Reading.NOTHING);
    int at = pages.indexOf(ask);
    if (at >= 0) {
      return idle.replaced(at, arrived);
    }
    boolean follows =
        ask.cursor().equals(pages.none() ? "" : pages.held().getLast().next()) && !whole();
    if (follows) {
      return idle.settled(pages.appended(ask, arrived), selected + wish.rows(), wish.end());
    }
    if (!pages.none() && pages.previous().equals(Optional.of(ask))) {
      long target = selected + pages.shift(arrived) + wish.rows();
      return idle.settled(pages.prepended(arrived), target, wish.end());
    }
    return idle;
  }

  /** Keeps the same key chosen, if it is still there. */
  private KeyWindow replaced(int at, KeyPages.Page page) {
    Optional<KeyRecord> before = chosen();
    KeyPages next = pages.replaced(at, page);
    int row = selected;
    for (int i = 0; before.isPresent() && i < next.rows(); i++) {
      if (next.row(i).orElseThrow().record().key().equals(before.get().key())) {
        row = i;
        break;
      }
    }
    return settled(next, row + wish.rows(), wish.end());
  }

  /** Chooses the row nearest to the target, and drops pages far from it. */
  private KeyWindow settled(KeyPages all, long target, boolean end) {
    int last = Math.max(0, all.rows() - 1);
    int row = end ? last : Math.clamp(target, 0, last);
    long over = target - row;
    boolean more = (over > 0 || end) ? !all.whole() : all.previous().isPresent();
    PendingScroll left =
        !more ? PendingScroll.NONE : end ? PendingScroll.END : PendingScroll.of(over);
    KeyPages near = all.withoutFarBehind(row);
    KeyPages kept = near.withoutFarBefore(row);
    return new KeyWindow(filter, kept, row - (near.rows() - kept.rows()), left, reading);
  }
}
