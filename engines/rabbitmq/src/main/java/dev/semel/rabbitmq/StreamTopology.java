package dev.semel.rabbitmq;

import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.StreamCreator;
import com.rabbitmq.stream.StreamException;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.transport.NoSuchDestination;
import java.util.List;

/** The streams of a destination. Creates missing ones, and never changes any. */
record StreamTopology(RabbitStreamSettings settings, RabbitNames partitions) {
  void ensure(Environment environment, String destination) {
    try {
      requirePartitions(environment, destination);
    } catch (StreamException | IllegalArgumentException | IllegalStateException e) {
      throw refused(destination, e);
    }
  }

  static int partitionsThere(Environment environment, String destination) {
    int partitions = 0;
    try {
      while (partitions < RabbitSettings.MAX_PARTITIONS
          && environment.streamExists(RabbitNames.stream(destination, "" + partitions))) {
        partitions++;
      }
    } catch (StreamException | IllegalStateException e) {
      throw refused(destination, e);
    }
    if (partitions == 0) {
      throw new NoSuchDestination(
          "there are no streams for the destination %s: create them, or name another"
              .formatted(PrintableText.quoted(destination)));
    }
    return partitions;
  }

  /** Deletes the streams; a missing one is no error. */
  void remove(Environment environment, String destination) {
    try {
      for (String partition : partitions.names()) {
        String stream = RabbitNames.stream(destination, partition);
        if (environment.streamExists(stream)) {
          environment.deleteStream(stream);
        }
      }
    } catch (StreamException | IllegalStateException e) {
      throw refused(destination, e);
    }
  }

  private static StoreException refused(String destination, RuntimeException e) {
    return new StoreException(
        "the streams of %s can't be had. RabbitMQ said: %s"
            .formatted(PrintableText.quoted(destination), e.getMessage()),
        e);
  }

  private void requirePartitions(Environment environment, String destination) {
    List<String> names = partitions.names();
    boolean first = environment.streamExists(RabbitNames.stream(destination, names.getFirst()));
    boolean last = environment.streamExists(RabbitNames.stream(destination, names.getLast()));
    boolean more =
        environment.streamExists(RabbitNames.stream(destination, "" + partitions.count()));
    if (more || (first && !last)) {
      throw new StoreException(
          "the destination %s has %s than %d partitions, and a key's messages would be on two of them: use the number it was made with"
              .formatted(
                  PrintableText.quoted(destination), more ? "more" : "fewer", partitions.count()));
    }
    if (first) {
      return;
    }
    if (!settings.create()) {
      throw new StoreException(
          "there are no streams for the destination %s: create them, or let them be created"
              .formatted(PrintableText.quoted(destination)));
    }
    // Creates the first partition last: its existence means that all exist.
    for (String partition : names.reversed()) {
      create(environment, RabbitNames.stream(destination, partition));
    }
  }

  private void create(Environment environment, String stream) {
    StreamCreator creator = environment.streamCreator().stream(stream);
    RabbitStreamSettings.Retention retention = settings.retention();
    if (!retention.maxAge().isZero()) {
      creator.maxAge(retention.maxAge());
    }
    if (retention.maxBytesPerPartition() > 0) {
      creator.maxLengthBytes(ByteCapacity.B(retention.maxBytesPerPartition()));
    }
    if (retention.segmentBytes() > 0) {
      creator.maxSegmentSizeBytes(ByteCapacity.B(retention.segmentBytes()));
    }
    creator.create(); // an existing one with the same settings will do
  }
}
