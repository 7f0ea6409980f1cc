package dev.semel.cli.tui;

/**
 * Scrolling beyond the pages that were read; it is done when they arrive.
 *
 * @param rows beyond the chosen row; negative: before it
 * @param end whether to go to the end, wherever that is
 */
public record PendingScroll(long rows, boolean end) {
  /**
   * Limit of pending rows in either direction: a key held down before a silent store must not
   * scroll through all of them later.
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

  /** Whether the limit is reached. */
  boolean full() {
    return Math.abs(rows) == MAX_ROWS;
  }

  /** Whether it is farther than a page of this many rows. */
  boolean beyond(int page) {
    return end || rows > page;
  }
}
