package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageHandler;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.internal.ConsumerLog;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.InboxIds;
import dev.semel.jdbc.internal.inbox.InboxQueue;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.loop.internal.Loop;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Handles one consumer's stored messages, for inboxes that store first ({@link JdbcInbox#storing}):
 * takes due messages, runs each in a transaction that also removes it, and retries failures until
 * they become dead letters. Of messages with the same ordering key it takes only the first
 * unfinished one; a dead letter does not block its successors.
 *
 * <p>Any number of workers share the messages. When a worker dies, the others take its messages
 * once the lease ends. A worker that lost its lease can't remove a message, so its writes are
 * rolled back.
 */
public final class InboxWorker {
  /** The longest stored failure reason. */
  static final int MAX_REASON_CHARS = 2000;

  private final InboxEngine engine;
  private final String consumer;
  private final MessageHandler handler;
  private final InboxWorkerSettings settings;
  private final InboxQueue queue;
  private final ConsumerLog log;

  InboxWorker(
      InboxEngine engine, String consumer, MessageHandler handler, InboxWorkerSettings settings) {
    this.engine = engine;
    this.consumer = consumer;
    this.handler = handler;
    this.settings = settings;
    this.queue = new InboxQueue(engine);
    this.log = new ConsumerLog(consumer);
  }

  /** Runs the worker in a background thread until closed. A failed turn is logged and repeated. */
  public Loop start() {
    return Loop.start("semel-inbox-" + consumer, this::runOnce, settings.rest());
  }

  /**
   * Runs the worker in a background thread until closed. The exception of a failed turn goes to
   * {@code onError}.
   */
  public Loop start(Consumer<Exception> onError) {
    return Loop.start("semel-inbox-" + consumer, this::runOnce, settings.rest(), onError);
  }

  /**
   * Runs one turn.
   *
   * @return false when nothing was due
   */
  public boolean runOnce() {
    return runOnce(settings.batch()) > 0;
  }

  /**
   * Runs one turn that takes at most {@code limit} messages.
   *
   * @return how many messages were taken, including those that failed
   * @throws StoreException the database is unreachable; nothing is lost, try again
   */
  public int runOnce(int limit) {
    int size = Math.clamp(limit, 1, InboxWorkerSettings.MAX_BATCH);
    // The lease began before the database answered, so its time counts from before the request.
    long enough = System.nanoTime() + settings.lease().toNanos() * 7 / 10;
    long owner = engine.mark(consumer, InboxIds.DONE).taker();
    List<InboxQueue.Claimed> claimed =
        engine.transact(
            "no messages were taken",
            db -> queue.claim(db, consumer, owner, settings.lease(), size));
    List<InboxQueue.Claimed> late = new ArrayList<>();
    for (InboxQueue.Claimed each : claimed) {
      if (System.nanoTime() - enough < 0) {
        run(each);
      } else {
        late.add(each);
      }
    }
    if (!late.isEmpty()) {
      engine.transact("messages were not given back", db -> queue.giveBack(db, late));
    }
    return claimed.size();
  }

  private void run(InboxQueue.Claimed claimed) {
    HandlerCall call = new HandlerCall(engine, handler);
    Exception failure;
    try {
      engine.transact("the message was not handled", db -> run(db, call, claimed));
      return;
    } catch (Undone e) {
      failure = e.reason;
    } catch (StoreException e) {
      failure = call.fault(e).orElseThrow(() -> e);
    }
    Exception reason = failure;
    log(claimed, reason);
    engine.transact("the failure was not noted", db -> failed(db, claimed, reason));
  }

  /** Thrown to roll a transaction back. */
  private static final class Undone extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Exception reason;

    Undone(Exception reason) {
      super("the handler failed", reason, false, false);
      this.reason = reason;
    }
  }

  /**
   * Remove the message before its handler runs: this compares the owner, locks the row for as long
   * as the handler runs, and commits with the handler, even if the handler should commit.
   */
  private boolean run(StatementCache db, HandlerCall call, InboxQueue.Claimed claimed)
      throws SQLException {
    call.begin();
    if (claimed.attempts() > settings.maxAttempts()) {
      String reason =
          "it was tried %d times, the last time without a word: its worker died, or was too slow"
              .formatted(settings.maxAttempts());
      log.dead(claimed.message(), claimed.attempts(), reason);
      return queue.bury(db, claimed, reason);
    }
    if (queue.isBehindAnother(db, consumer, claimed)) {
      queue.giveBack(db, List.of(claimed));
      return false;
    }
    if (!queue.remove(db, claimed)) {
      return false;
    }
    if (call.handle(db.connection(), claimed.message()) instanceof HandleResult.Failed failed) {
      throw new Undone(failed.reason());
    }
    call.committing();
    return true;
  }

  private void log(InboxQueue.Claimed claimed, Exception failure) {
    if (isLast(claimed, failure)) {
      log.dead(claimed.message(), claimed.attempts(), reason(failure));
    } else {
      log.failed(claimed.message(), claimed.attempts(), settings.maxAttempts(), failure);
    }
  }

  private boolean isLast(InboxQueue.Claimed claimed, Exception failure) {
    return failure instanceof MessageRejected || claimed.attempts() >= settings.maxAttempts();
  }

  private boolean failed(StatementCache db, InboxQueue.Claimed claimed, Exception failure)
      throws SQLException {
    String reason = reason(failure);
    if (isLast(claimed, failure)) {
      return queue.bury(db, claimed, reason);
    }
    return queue.delay(db, claimed, reason, settings.pauseAfter(claimed.attempts()));
  }

  private static String reason(Exception failure) {
    String text = PrintableText.safe(failure.toString());
    return text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
  }
}
