package dev.semel.cli;

import dev.semel.StoreException;
import dev.semel.cli.prove.MessageWorker;
import dev.semel.cli.prove.ProofBroker;
import dev.semel.cli.prove.ProofStreams;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.internal.Ids;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.proof.WorkerOrders;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process of a proof whose consumers recognise no message, and often lose the answer to a commit:
 * a redelivered message takes effect again.
 */
final class CarelessWorker {
  private static final int LOST_EVERY = 3;

  private CarelessWorker() {}

  public static void main(String[] args) throws IOException {
    MessageWorker.run(CarelessWorker::consumer);
  }

  private static MessageConsumer consumer(WorkerOrders orders, JdbcInbox inbox, Transport others) {
    ProofBroker broker = MessageWorker.broker(orders);
    StreamTransport transport =
        StreamTransport.over(
            ProofStreams.client(broker.url(), ""),
            StreamTransportSettings.defaults()
                .withPrefix(broker.destination())
                .withLease(broker.lease())
                .withPositions(inbox.positions()));
    return MessageConsumer.start(
        ProofBroker.CONSUMER,
        transport.subscribe(
            broker.destination(), ProofBroker.CONSUMER, SubscribeSettings.defaults()),
        forgetful(orders, inbox),
        DeadLetters.to(others, broker.dead()),
        MessageWorker.settings(broker));
  }

  private static ConsumerInbox forgetful(WorkerOrders orders, JdbcInbox inbox) {
    AtomicInteger taken = new AtomicInteger();
    ConsumerInbox consumerInbox =
        inbox.consumerInbox(
            ProofBroker.CONSUMER,
            (connection, message) ->
                MessageWorker.effect(
                    connection,
                    message.withId(message.id().substring(0, message.id().indexOf('#'))),
                    orders.client()));
    return messages -> {
      List<HandleResult> handled =
          consumerInbox.take(messages.stream().map(CarelessWorker::unlike).toList());
      if (taken.incrementAndGet() % LOST_EVERY == 0) {
        throw new StoreException("the answer was lost");
      }
      return handled;
    };
  }

  private static Message unlike(Message message) {
    return message.withId(message.id() + "#" + Ids.uuid7());
  }
}
