package dev.semel.cli.tui;

/**
 * Where someone wants to be who has pressed on beyond what was read: it is remembered, and done
 * when the pages are there.
 *
 * @param rows beyond the chosen row; less than zero: before it
 * @param end to the end, wherever that is
 */
public record PendingScroll(long rows, boolean end) {
  /**
   * Most rows that are remembered, either way: whoever leans on a key before a store that does not
   * answer is not carried through all of it later.
   */
  static final long MAX_ROWS = 100_000;

  static final PendingScroll NONE = new PendingScroll(0, false);
  static final PendingScroll END = new PendingScroll(0, true);

  static PendingScroll of(long rows) {
    return rows == 0 ? NONE : new PendingScroll(Math.clamp(rows, -MAX_ROWS, MAX_ROWS), false);
  }

  public boolean none() {
    return rows == 0 && !end;
  }

  boolean back() {
    return rows < 0;
  }

  /** No more than this is remembered. */
  boolean full() {
    return Math.abs(rows) == MAX_ROWS;
  }

  /** Farther than a page of so many rows. */
  boolean beyond(int page) {
    return end || rows > page;
  }
}
