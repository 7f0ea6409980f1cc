package dev.semel.admin;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Token;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.event.EventAudit;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.Payload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * All that an operator sees and does, in one vocabulary: in this process over an {@link
 * AdminTargets}, or over HTTP against a server's admin API. Commands and screens need not know
 * which. Every change leaves a line in the event log of the store, in the operator's name. Safe for
 * use by many threads.
 *
 * <p>Any call may fail with a {@link dev.semel.StoreException}: the store, or the server, is away.
 */
public interface ControlCenter extends AutoCloseable {
  /** Largest page of anything. */
  int MAX_PAGE = 1000;

  StoreStats stats();

  /** All counts start from zero. How many operations that were. */
  int resetStatistics();

  /**
   * Some records. A page may be shorter than {@code limit}, even empty, with more to come.
   *
   * @param cursor empty for the first page, then the last page's {@link KeyPage#next}
   */
  KeyPage keys(KeyFilter filter, String cursor, int limit);

  /** How many records {@link #delete(KeyFilter, long)} would delete; looks at every one. */
  long count(KeyFilter filter);

  Optional<KeyRecord> inspect(Key key);

  /** All that is known of it, in order; looks into outbox, inbox and jobs too. */
  KeyTimeline lifeLine(Key key);

  /** What is kept as its response. */
  Optional<Payload> payload(Key key);

  /**
   * Who holds it: whoever has this can act as the holder.
   *
   * @throws dev.semel.InvalidInput a server shows no tokens
   */
  Optional<Token> token(Key key);

  /** The holder's own way: only with its token. */
  StoreAdmin.Release release(Key key, Token token);

  /** The operator's way: whatever its state, the next claim runs. */
  StoreAdmin.Release forceRelease(Key key);

  /** Forgets a key and its attempt counter; false: there is none. */
  boolean delete(Key key);

  /**
   * The same for all that are chosen.
   *
   * @param expected what {@link #count} said
   * @return how many were deleted; some may have come or gone meanwhile
   * @throws EditConflict there are more or fewer; nothing was deleted
   */
  long delete(KeyFilter filter, long expected);

  /** All operations that were used or have settings, by name. */
  List<OperationRecord> queues();

  /** See {@link StoreAdmin#change}. */
  StoreAdmin.VersionedSettings change(Operation operation, Map<OperationSetting, String> changes);

  /** Empty: this targets has none. */
  Optional<OutboxAdmin> outbox();

  /** Empty: this targets has none. */
  Optional<InboxAdmin> inbox();

  /** Empty: this targets has none. */
  Optional<QueueAdmin> jobs();

  /** The event log after a cursor; see {@link EventStore#read}. */
  EventStore.Page events(String cursor, int limit);

  /** Where the event log ends now. */
  String end();

  /**
   * The newest events, oldest of them first.
   *
   * @param kind such as {@code replayed}; empty: all. It is looked for among the newest {@link
   *     EventStore#MAX_PAGE}.
   */
  List<EventLine> latest(String kind, int limit);

  /** The newest events about one key, oldest of them first. */
  List<EventLine> about(Key key, int limit);

  /**
   * Reads the whole event log and checks its chains.
   *
   * @param progress told how many lines were checked, where that is known
   */
  Verified verify(LongConsumer progress);

  /** Erases what the event log holds of a key's id; how many lines that were. */
  int erase(Key key);

  /** Which parts can't be reached is said, and no failure; that a server can't be asked is one. */
  HealthReport health();

  /** How many records {@link #cleanup(long, LongConsumer)} would remove. */
  long ended();

  /**
   * Removes records whose retention ended, never more of them than are expected: others end while
   * someone reads how many there are, and those stay for the next time. Events that are too old or
   * too many go with them; nobody counts those.
   *
   * @param expected what {@link #ended} said
   * @param progress told the number of records removed so far, where that is known
   * @throws EditConflict there are fewer; nothing was removed
   */
  long cleanup(long expected, LongConsumer progress);

  /** The same for as many as there are now. */
  default long cleanup(LongConsumer progress) {
    return cleanup(ended(), progress);
  }

  /**
   * What is beyond its limit. Where nobody watches the targets it is looked at once, with the usual
   * limits, and what is beyond them fires at once.
   */
  List<Alert> alerts();

  /** What to tune, from what was counted. */
  Recommendations advice(AdviceCriteria demand);

  /**
   * Does what was advised; see {@link AdviceAdmin#apply}.
   *
   * @throws dev.semel.InvalidInput it holds no change, or one that makes no sense any more
   */
  StoreAdmin.VersionedSettings apply(Advice advice);

  /**
   * Copies what is kept in files, while it is used.
   *
   * @param name of the copy, among those of the same place
   * @throws dev.semel.InvalidInput nobody makes backups here, or there is one of that name
   */
  Backup backup(String name);

  /** Closes what was opened for it alone; an targets belongs to whoever opened it. */
  @Override
  void close();

  /**
   * Part of a listing.
   *
   * @param next where the next page starts; empty when this was the last
   */
  record KeyPage(List<KeyRecord> keys, String next) {
    public KeyPage {
      keys = List.copyOf(keys);
    }
  }

  /** What came of checking the event log, and where its chains end. */
  record Verified(EventAudit.Report report, Map<String, EventStore.Chain> chains) {
    public Verified {
      chains = Map.copyOf(chains);
    }
  }
}
