package dev.semel.spring;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.MessageTooOld;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Handles each message in a separate Spring transaction: a persistence context can't go back to a
 * savepoint, so a failing handler takes its whole transaction along.
 */
final class SpringConsumerInbox implements ConsumerInbox {
  private final PlatformTransactionManager manager;
  private final TransactionalInbox inbox;
  private final InboxConsumer consumer;
  private final Observing observing;

  /** Observes the handling of a message, including its transaction. */
  @FunctionalInterface
  interface Observing {
    HandleResult processed(String consumer, Message message, Supplier<HandleResult> body);
  }

  SpringConsumerInbox(
      PlatformTransactionManager manager,
      TransactionalInbox inbox,
      InboxConsumer consumer,
      Observing observing) {
    this.manager = manager;
    this.inbox = inbox;
    this.consumer = consumer;
    this.observing = observing;
  }

  @Override
  public List<HandleResult> take(List<Message> messages) {
    return take(messages, List.of());
  }

  @Override
  public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
    List<HandleResult> outcomes = new ArrayList<>();
    Set<String> waitingKeys = new HashSet<>();
    Set<String> waitingPartitions = new HashSet<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      boolean held = message.ordered() && waitingKeys.contains(message.orderingKey());
      List<LogPosition> moved =
          places.isEmpty() || waitingPartitions.contains(places.get(i).partition())
              ? List.of()
              : List.of(places.get(i));
      HandleResult outcome =
          held
              ? new HandleResult.HeldBack()
              : observing.processed(consumer.name(), message, () -> one(message, moved));
      if (!outcome.isOver()) {
        waitingKeys.add(message.orderingKey());
        if (!places.isEmpty()) {
          waitingPartitions.add(places.get(i).partition());
        }
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private HandleResult one(Message message, List<LogPosition> moved) {
    TransactionStatus status = begin();
    HandleResult handled;
    try {
      handled = inbox.handle(consumer.name(), message, moved, consumer.handler());
    } catch (StoreException | Error e) {
      rollBack(status);
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      rollBack(status);
      return new HandleResult.Failed(e, e instanceof MessageRejected || e instanceof MessageTooOld);
    }
    try {
      manager.commit(status);
      return handled;
    } catch (UnexpectedRollbackException e) {
      // Code below the handler marked the transaction for rollback; nothing took effect.
      return new HandleResult.Failed(e, false);
    } catch (TransactionException e) {
      throw new StoreException(
          "whether the message took effect is unknown, hand it in again: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      // The database refused the writes, for example by a constraint checked at the flush.
      return new HandleResult.Failed(e, false);
    }
  }

  private void rollBack(TransactionStatus status) {
    try {
      manager.rollback(status);
    } catch (TransactionException e) {
      throw new StoreException(
          "the database went away while the message was handled, hand it in again: "
              + e.getMessage(),
          e);
    }
  }

  private TransactionStatus begin() {
    try {
      DefaultTransactionDefinition alone =
          new DefaultTransactionDefinition(DefaultTransactionDefinition.PROPAGATION_REQUIRES_NEW);
      return manager.getTransaction(alone);
    } catch (TransactionException e) {
      throw new StoreException("no transaction could be begun: " + e.getMessage(), e);
    }
  }
}
