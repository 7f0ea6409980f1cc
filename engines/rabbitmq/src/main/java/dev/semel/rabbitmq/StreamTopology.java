package dev.semel.rabbitmq;

import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.StreamCreator;
import com.rabbitmq.stream.StreamException;
import dev.semel.PrintableText;
import dev.semel.StoreException;
import dev.semel.transport.NoSuchDestination;
import java.util.List;

/** The streams of a destination. What is missing is made, and nothing is ever changed. */
record StreamTopology(RabbitStreamSettings settings, RabbitNames lanes) {
  void ensure(Environment environment, String destination) {
    try {
      requireLanes(environment, destination);
    } catch (StreamException | IllegalArgumentException | IllegalStateException e) {
      throw refused(destination, e);
    }
  }

  static int lanesThere(Environment environment, String destination) {
    int lanes = 0;
    try {
      while (lanes < RabbitSettings.MAX_LANES
          && environment.streamExists(RabbitNames.stream(destination, "" + lanes))) {
        lanes++;
      }
    } catch (StreamException | IllegalStateException e) {
      throw refused(destination, e);
    }
    if (lanes == 0) {
      throw new NoSuchDestination(
          "there are no streams for the destination %s: create them, or name another"
              .formatted(PrintableText.quoted(destination)));
    }
    return lanes;
  }

  /** What is not there is no error. */
  void remove(Environment environment, String destination) {
    try {
      for (String lane : lanes.names()) {
        String stream = RabbitNames.stream(destination, lane);
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

  private void requireLanes(Environment environment, String destination) {
    List<String> names = lanes.names();
    boolean first = environment.streamExists(RabbitNames.stream(destination, names.getFirst()));
    boolean last = environment.streamExists(RabbitNames.stream(destination, names.getLast()));
    boolean more = environment.streamExists(RabbitNames.stream(destination, "" + lanes.count()));
    if (more || (first && !last)) {
      throw new StoreException(
          "the destination %s has %s than %d lanes, and a key's messages would be on two of them: use the number it was made with"
              .formatted(
                  PrintableText.quoted(destination), more ? "more" : "fewer", lanes.count()));
    }
    if (first) {
      return;
    }
    if (!settings.create()) {
      throw new StoreException(
          "there are no streams for the destination %s: create them, or let them be created"
              .formatted(PrintableText.quoted(destination)));
    }
    // The first one last: it says that all are there.
    for (String lane : names.reversed()) {
      create(environment, RabbitNames.stream(destination, lane));
    }
  }

  private void create(Environment environment, String stream) {
    StreamCreator creator = environment.streamCreator().stream(stream);
    RabbitStreamSettings.Retention retention = settings.retention();
    if (!retention.maxAge().isZero()) {
      creator.maxAge(retention.maxAge());
    }
    if (retention.maxBytesPerLane() > 0) {
      creator.maxLengthBytes(ByteCapacity.B(retention.maxBytesPerLane()));
    }
    if (retention.segmentBytes() > 0) {
      creator.maxSegmentSizeBytes(ByteCapacity.B(retention.segmentBytes()));
    }
    creator.create(); // one that is there with the same settings is as good
  }
}
