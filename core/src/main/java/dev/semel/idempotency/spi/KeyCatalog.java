package dev.semel.idempotency.spi;

import dev.semel.Key;
import java.util.List;

/** What operators can see and change in a store. Not in an execution's path. */
public interface KeyCatalog {
  /** Largest page of {@link #list}. */
  int MAX_PAGE = 1000;

  /**
   * One page of the records whose key's text starts with {@code prefix}. A page may be shorter than
   * {@code limit}, even empty, with more to come where the store can only scan. Such a store may
   * also list a record again on a later page, but leaves out none that exists throughout.
   *
   * @param cursor empty for the first page, then the last page's {@link Page#next}
   */
  Page list(String prefix, String cursor, int limit);

  /**
   * Lets the next claim of this key run, whatever its state: for a key in doubt. A holder that
   * still runs is fenced. False: there is no such key.
   */
  boolean forceRelease(Key key);

  /** Deletes the key and its attempt counter. A holder, if any, is fenced. False: no such key. */
  boolean delete(Key key);

  /** Removes at most {@code limit} records whose retention ended; returns how many it removed. */
  int purge(int limit);

  /**
   * How many records still exist although their retention has ended, as {@link #purge} would find
   * them; never more than {@code limit}. Zero where the engine drops them automatically.
   */
  default int ended(int limit) {
    return 0;
  }

  Usage usage();

  /**
   * Imports a record from another store, in one atomic step, if there is none or an earlier state
   * of the same one, as {@link RecordImport#meeting} decides. Its token holds it here too; lease
   * and retention continue with the rest that they had. May be repeated.
   */
  RecordImport adopt(KeyEntry entry);

  /**
   * Whether a cursor of {@link #list} is still valid after a restart of the engine. Where it is
   * not, a listing that must be complete starts again.
   */
  default boolean cursorsOutliveRestarts() {
    return true;
  }

  /**
   * One page of a listing.
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
   * @param bytes the size of the records, as the engine counts
   * @param exact false where the store extrapolates from a part of its keys
   */
  record Usage(long activeKeys, long bytes, boolean exact) {}
}
