package dev.semel.idempotency.spi;

import dev.semel.Key;
import java.util.List;

/** What operators may ask of a store and do to it. Nothing here sits in an execution's path. */
public interface KeyCatalog {
  /** Largest page that {@link #list} gives. */
  int MAX_PAGE = 1000;

  /**
   * One page of the records whose key's text starts with {@code prefix}. A page may be shorter than
   * {@code limit}, even empty, with more to come where the store can only scan. There a record may
   * also come again on a later page; none that is there all the while is left out.
   *
   * @param cursor empty for the first page, then the last page's {@link Page#next}
   */
  Page list(String prefix, String cursor, int limit);

  /**
   * Lets the next claim of this key run, whatever its state: the operator's answer to a key in
   * doubt. Its holder, if it still lives, is fenced. False: there is no such key.
   */
  boolean forceRelease(Key key);

  /** Forgets the key and its attempt counter. Its holder, if any, is fenced. False: no such key. */
  boolean delete(Key key);

  /** Removes at most {@code limit} records whose retention ended; how many it removed. */
  int purge(int limit);

  /**
   * How many records are still there although their retention has ended, as {@link #purge} would
   * find them; never more than {@code limit}. None where the engine drops them by itself.
   */
  default int ended(int limit) {
    return 0;
  }

  Usage usage();

  /**
   * Takes in a record from another store, in one atomic step: if there is none, or an earlier
   * moment of the same one, as {@link RecordImport#meeting} has it. Its token holds it here too;
   * lease and retention run on from what was left of them. May be repeated.
   */
  RecordImport adopt(KeyEntry entry);

  /**
   * Whether a cursor of {@link #list} still leads on when the engine was restarted meanwhile. Where
   * it does not, a listing that must be complete begins anew.
   */
  default boolean cursorsOutliveRestarts() {
    return true;
  }

  /**
   * Part of a listing.
   *
   * @param next where the next page starts; empty when this was the last
   */
  record Page(List<KeyEntry> entries, String next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /**
   * How much a store holds.
   *
   * @param activeKeys records whose retention has not ended
   * @param bytes what the records take up, as the engine counts
   * @param exact false where the store extrapolates from a part of its keys
   */
  record Usage(long activeKeys, long bytes, boolean exact) {}
}
