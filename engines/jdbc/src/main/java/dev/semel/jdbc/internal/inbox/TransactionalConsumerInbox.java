package dev.semel.jdbc.internal.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageHandler;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handles messages whose effects commit together with their ids, many in one transaction. When a
 * message breaks the shared transaction, each message gets a separate one.
 */
public final class TransactionalConsumerInbox implements ConsumerInbox {
  /** Larger calls are split, because a long transaction makes others wait. */
  static final int MAX_BATCH = 1000;

  private static final String WHAT =
      "whether the messages took effect is unknown, hand them in again";

  private final InboxEngine engine;
  private final String consumer;
  private final MessageHandler handler;

  /** After a failure another one is likely, and then handlers would run twice for each message. */
  private volatile boolean failing;

  public TransactionalConsumerInbox(InboxEngine engine, String consumer, MessageHandler handler) {
    this.engine = engine;
    this.consumer = consumer;
    this.handler = handler;
  }

  @Override
  public List<HandleResult> take(List<Message> messages) {
    return take(messages, List.of());
  }

  @Override
  public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
    List<HandleResult> outcomes = new ArrayList<>();
    WaitingMessage waiting = new WaitingMessage();
    for (int from = 0; from < messages.size(); from += MAX_BATCH) {
      int until = Math.min(messages.size(), from + MAX_BATCH);
      List<LogPosition> of = places.isEmpty() ? places : places.subList(from, until);
      outcomes.addAll(part(messages.subList(from, until), of, waiting));
    }
    return outcomes;
  }

  private List<HandleResult> part(
      List<Message> part, List<LogPosition> places, WaitingMessage waiting) {
    InboxAttempt attempt = new InboxAttempt(engine, consumer, handler, waiting);
    List<HandleResult> outcomes;
    try {
      outcomes = engine.transact(WHAT, db -> attempt.run(db, part, places, !failing));
    } catch (StoreException e) {
      attempt.repair();
      Optional<Exception> fault = attempt.fault(e);
      if (fault.isEmpty()) {
        throw e;
      }
      if (part.size() > 1) {
        return oneByOne(part, places, waiting);
      }
      outcomes = List.of(HandlerCall.failed(fault.get()));
    }
    failing = outcomes.stream().anyMatch(HandleResult::stays);
    for (int i = 0; i < part.size(); i++) {
      if (outcomes.get(i).stays()) {
        waiting.add(part.get(i));
        if (!places.isEmpty()) {
          waiting.add(places.get(i));
        }
      }
    }
    return outcomes;
  }

  private List<HandleResult> oneByOne(
      List<Message> part, List<LogPosition> places, WaitingMessage waiting) {
    List<HandleResult> outcomes = new ArrayList<>();
    for (int i = 0; i < part.size(); i++) {
      List<LogPosition> of = places.isEmpty() ? places : List.of(places.get(i));
      outcomes.addAll(part(List.of(part.get(i)), of, waiting));
    }
    return outcomes;
  }
}
