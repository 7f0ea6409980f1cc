package dev.semel.cli.tui;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of the listing around the chosen row: a few pages, however many keys there are.
 *
 * @param selected a row among those held
 * @param wish where to go on when more is there
 */
public record KeyWindow(
    KeyFilter filter, KeyPages pages, int selected, PendingScroll wish, Reading reading) {
  /** Rows asked for at a time. */
  static final int PAGE_ROWS = 200;

  /** Rows asked for at a time by someone who wants to go far. */
  static final int FAR_ROWS = ControlCenter.MAX_PAGE;

  /**
   * With fewer rows than this beyond the chosen one, more are asked for: a key that is held down
   * goes on for some tenths of a second until it is at the edge.
   */
  static final int MARGIN = 300;

  /** Whether a page is on its way. */
  public enum Reading {
    NOTHING,
    ASKED,
    /** The last one did not come. */
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

  /** The chosen row's number among all, from 1; 0: there is none. */
  public long place() {
    return rows() == 0 ? 0 : pages.before() + selected + 1;
  }

  /** Whether the listing was read to its end. */
  public boolean whole() {
    return pages.whole();
  }

  /** How many rows there are at least; all, if {@link #whole}. */
  public long known() {
    return pages.before() + rows();
  }

  /** What can't be done with what was read remains a wish. */
  KeyWindow moved(long by) {
    return settled(pages, selected + wish.rows() + by, false);
  }

  /** On the way to the last row: all pages up to there are read. */
  KeyWindow toEnd() {
    return settled(pages, selected, true);
  }

  /** At the first row, which may have to be read again. */
  KeyWindow toBeginning() {
    return pages.before() == 0
        ? settled(pages, 0, false)
        : new KeyWindow(filter, KeyPages.NONE, 0, PendingScroll.NONE, reading);
  }

  /** Wishes nothing any more. */
  KeyWindow still() {
    return new KeyWindow(filter, pages, selected, PendingScroll.NONE, reading);
  }

  KeyWindow reading(Reading now) {
    return new KeyWindow(filter, pages, selected, wish, now);
  }

  boolean asked() {
    return reading == Reading.ASKED;
  }

  /** The page that is needed next, if one is. */
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

  /** The page with the chosen row, to be read again; none while it can't be. */
  Optional<KeyPages.Ask> stale() {
    return asked() ? Optional.empty() : pages.again(selected);
  }

  /** With a page that arrived; one that no longer fits changes nothing. */
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

  /** The same key stays chosen, if it is still there. */
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

  /** As near to the target as can be; what is far from there goes. */
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
