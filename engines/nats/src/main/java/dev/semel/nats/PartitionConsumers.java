package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.transport.SubscribeSettings;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The broker's consumers for one consumer name: one per partition. A numbered partition has one
 * message at a time in flight, whichever process pulls, so the broker keeps the order of its keys.
 */
record PartitionConsumers(
    StreamSettings stream, String destination, String consumer, SubscribeSettings settings) {
  /** Another name already receives from a work queue, which allows only one. */
  private static final Set<Integer> NOT_ALONE = Set.of(10099, 10100, 10101);

  private static final long UNLIMITED = -1;

  List<String> names() {
    return MessageSubjects.partitions(stream.partitions());
  }

  /** The partitions of messages with an ordering key. */
  List<String> numbered() {
    return names().subList(0, stream.partitions());
  }

  String consumerOf(String partition) {
    return MessageSubjects.consumer(consumer, destination, partition);
  }

  /** Splits the partition off a consumer's name. */
  String partitionOf(String consumerName) {
    return consumerName.substring(consumerName.lastIndexOf('_') + 1);
  }

  /** Creates missing consumers; existing ones keep their position. */
  void ensure(Connection connection) {
    try {
      JetStreamManagement management = connection.jetStreamManagement();
      for (String partition : names()) {
        ConsumerConfiguration wanted = configuration(partition);
        ConsumerConfiguration there =
            management.addOrUpdateConsumer(stream.name(), wanted).getConsumerConfiguration();
        requireSame(wanted, there);
      }
    } catch (IOException e) {
      throw new StoreException("NATS did not answer while subscribing: try again", e);
    } catch (JetStreamApiException e) {
      throw new StoreException(refusal(e), e);
    }
  }

  private ConsumerConfiguration configuration(String partition) {
    boolean any = partition.equals(MessageSubjects.ANY);
    List<String> subjects = new ArrayList<>(List.of(destination + "." + partition));
    if (any) {
      subjects.add(destination); // the subject of senders that know no partitions
    }
    return ConsumerConfiguration.builder()
        .durable(consumerOf(partition))
        .filterSubjects(subjects)
        .deliverPolicy(DeliverPolicy.All)
        .ackPolicy(AckPolicy.Explicit)
        .ackWait(settings.ackWithin())
        .maxAckPending(any ? settings.maxUnacknowledged() : 1)
        .maxDeliver(UNLIMITED)
        .build();
  }

  private void requireSame(ConsumerConfiguration wanted, ConsumerConfiguration there) {
    if (there.getMaxAckPending() != wanted.getMaxAckPending()
        || there.getAckPolicy() != AckPolicy.Explicit
        || there.getMaxDeliver() > 0
        || !settings.ackWithin().equals(there.getAckWait())
        || !Set.copyOf(wanted.getFilterSubjects()).equals(Set.copyOf(there.getFilterSubjects()))) {
      throw new StoreException(
          "the consumer %s of the stream %s is not as asked for, so order could break: delete it, and subscribe again"
              .formatted(wanted.getDurable(), stream.name()));
    }
  }

  private String refusal(JetStreamApiException e) {
    if (NOT_ALONE.contains(e.getApiErrorCode())) {
      return "the stream %s is a work queue, and another consumer than %s receives %s already: use its name, or a stream that keeps to limits"
          .formatted(
              stream.name(), PrintableText.quoted(consumer), PrintableText.quoted(destination));
    }
    return "the destination %s can't be received from the stream %s. NATS said: %s"
        .formatted(PrintableText.quoted(destination), stream.name(), e.getErrorDescription());
  }

  long lag(Connection connection) {
    try {
      JetStreamManagement management = connection.jetStreamManagement();
      long lag = 0;
      for (String partition : names()) {
        lag += management.getConsumerInfo(stream.name(), consumerOf(partition)).getNumPending();
      }
      return lag;
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the lag can't be read from NATS: try again", e);
    }
  }
}
