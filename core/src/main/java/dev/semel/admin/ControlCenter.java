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
 * The admin view: everything that an operator sees and does, whether in this process over {@link
 * AdminTargets} or over HTTP against a server's admin API. Commands and screens need not know
 * which. Every change adds a line with the operator's name to the event log of the store. Safe for
 * use by many threads.
 *
 * <p>Any call may fail with a {@link dev.semel.StoreException}: the store, or the server, is away.
 */
public interface ControlCenter extends AutoCloseable {
  /** Largest page of any listing. */
  int MAX_PAGE = 1000;

  StoreStats stats();

  /**
   * Resets all counts to zero. Returns the number of scopes (tenant and operation) that had counts.
   */
  int resetStatistics();

  /**
   * Some records. A page may be shorter than {@code limit}, even empty, with more to come.
   *
   * @param cursor empty for the first page, then the last page's {@link KeyPage#next}
   */
  KeyPage keys(KeyFilter filter, String cursor, int limit);

  /** How many records {@link #delete(KeyFilter, long)} would delete; reads every record. */
  long count(KeyFilter filter);

  Optional<KeyRecord> inspect(Key key);

  /** The history of a key, in order, from its record, events, outbox, inbox and jobs. */
  KeyTimeline lifeLine(Key key);

  /** The stored response. */
  Optional<Payload> payload(Key key);

  /**
   * The token of the current claim. It is a capability: its owner can act as the holder.
   *
   * @throws dev.semel.InvalidInput asked over HTTP: a server does not show tokens
   */
  Optional<Token> token(Key key);

  /** Releases a key as its holder: only with the holder's token. */
  StoreAdmin.Release release(Key key, Token token);

  /** Releases a key as an operator: whatever its state, the next claim runs. */
  StoreAdmin.Release forceRelease(Key key);

  /** Deletes a key and its attempt counter; false: there is none. */
  boolean delete(Key key);

  /**
   * Deletes all records that the filter selects.
   *
   * @param expected what {@link #count} said
   * @return how many were deleted; some may have come or gone meanwhile
   * @throws EditConflict there are more or fewer than expected; nothing was deleted
   */
  long delete(KeyFilter filter, long expected);

  /** All operations that were used or have settings, by name. */
  List<OperationRecord> queues();

  /** See {@link StoreAdmin#change}. */
  StoreAdmin.VersionedSettings change(Operation operation, Map<OperationSetting, String> changes);

  /** Empty: there is no outbox here. */
  Optional<OutboxAdmin> outbox();

  /** Empty: there is no inbox here. */
  Optional<InboxAdmin> inbox();

  /** Empty: there are no job queues here. */
  Optional<QueueAdmin> jobs();

  /** The event log after a cursor; see {@link EventStore#read}. */
  EventStore.Page events(String cursor, int limit);

  /** The cursor of the event log's end now. */
  String end();

  /**
   * The newest events, in order.
   *
   * @param kind such as {@code replayed}; empty: all. Searches only the newest {@link
   *     EventStore#MAX_PAGE} events.
   */
  List<EventLine> latest(String kind, int limit);

  /** The newest events about one key, in order. */
  List<EventLine> about(Key key, int limit);

  /**
   * Reads the whole event log and checks its chains.
   *
   * @param progress receives the number of lines checked so far, where it is known
   */
  Verified verify(LongConsumer progress);

  /** Erases the key's id from the event log. Returns the number of erased lines. */
  int erase(Key key);

  /**
   * Whether each part can be reached. A part that can't is reported in the result; only a server
   * that does not answer is an exception.
   */
  HealthReport health();

  /** How many records {@link #cleanup(long, LongConsumer)} would remove. */
  long ended();

  /**
   * Removes records whose retention ended, at most the expected number: other retentions end while
   * the operator reads the count, and those records stay for the next time. Also removes events
   * that are too old or too many; they are not counted.
   *
   * @param expected what {@link #ended} said
   * @param progress receives the number of records removed so far, where it is known
   * @throws EditConflict there are fewer than expected; nothing was removed
   */
  long cleanup(long expected, LongConsumer progress);

  /** Removes all records whose retention has ended by now. */
  default long cleanup(LongConsumer progress) {
    return cleanup(ended(), progress);
  }

  /**
   * The alerts that fire now. Without a running watch, this measures once with the default limits,
   * and whatever is beyond its limit fires at once.
   */
  List<Alert> alerts();

  /** Recommended settings, from the counts. */
  Recommendations advice(AdviceCriteria demand);

  /**
   * Makes an advised change; see {@link AdviceAdmin#apply}.
   *
   * @throws dev.semel.InvalidInput the advice holds no change, or its change is no longer valid
   */
  StoreAdmin.VersionedSettings apply(Advice advice);

  /**
   * Makes a backup of the data files while they are in use.
   *
   * @param name of the backup; unique among the backups there
   * @throws dev.semel.InvalidInput backups are not available here, or the name is taken
   */
  Backup backup(String name);

  /**
   * Closes what was opened for this alone, such as connections; the code that opened the targets
   * closes those.
   */
  @Override
  void close();

  /**
   * One page of a listing.
   *
   * @param next where the next page starts; empty when this was the last
   */
  record KeyPage(List<KeyRecord> keys, String next) {
    public KeyPage {
      keys = List.copyOf(keys);
    }
  }

  /** The result of an audit of the event log, and where its chains end. */
  record Verified(EventAudit.Report report, Map<String, EventStore.Chain> chains) {
    public Verified {
      chains = Map.copyOf(chains);
    }
  }
}
