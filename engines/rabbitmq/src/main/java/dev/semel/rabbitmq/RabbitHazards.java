package dev.semel.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.semel.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Warnings about a broker's configuration that weaken the guarantees, one sentence each. */
final class RabbitHazards {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

  /** With a shorter age a consumer that is down for a weekend misses messages. */
  private static final Duration SHORT_AGE = Duration.ofDays(3);

  private static final int WITH_DELIVERY_LIMIT = 4;

  private RabbitHazards() {}

  /** Major and minor version; empty: the broker does not report them. */
  private static Optional<int[]> version(Connection connection) {
    Matcher numbers =
        VERSION.matcher(String.valueOf(connection.getServerProperties().get("version")));
    return numbers.matches()
        ? Optional.of(
            new int[] {Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))})
        : Optional.empty();
  }

  static void requireNewEnough(Connection connection) {
    version(connection)
        .filter(version -> version[0] < 3 || (version[0] == 3 && version[1] < 10))
        .ifPresent(
            version -> {
              throw new StoreException(
                  "RabbitMQ is of version %d.%d, and quorum queues are as needed from 3.10 on: take a newer one"
                      .formatted(version[0], version[1]));
            });
  }

  static List<String> ofQueues(Connection connection, RabbitSettings settings) {
    List<String> found = new ArrayList<>();
    found.add(
        "policies can't be seen from here: let none that matches these queues set message-ttl,"
            + " expires, max-length or max-length-bytes, or messages are dropped that nobody has"
            + " received");
    found.add(
        "RabbitMQ drops no message that is sent twice: let an inbox keep the ids, for longer than a"
            + " message may be sent again");
    if (version(connection).filter(version -> version[0] >= WITH_DELIVERY_LIMIT).isPresent()) {
      found.add(
          "from version 4 on, quorum queues drop a message that came back 20 times, as it does when"
              + " a reader dies: set the policy delivery-limit to -1 for these queues");
    }
    if (!settings.create()) {
      found.add(
          "whether anything limits how many messages wait in a queue can't be seen from here: let"
              + " maxWaiting do, so that a consumer that is away for long fills the outbox instead"
              + " of the broker's disk");
    } else if (settings.maxWaiting() == 0) {
      found.add(
          "nothing limits how many messages wait in a queue: set maxWaiting, so that a consumer"
              + " that is away for long fills the outbox instead of the broker's disk");
    }
    return found;
  }

  static List<String> ofStreams(RabbitStreamSettings settings, Duration retrySpan) {
    List<String> found = new ArrayList<>();
    found.add(
        "what is sent again by another process, or long after it was confirmed, is in the stream"
            + " twice: let an inbox keep the ids, for longer than a message may be sent again");
    found.add(
        "RabbitMQ confirms what a majority of a stream's replicas has, without forcing it to the"
            + " disk: have three, on machines that don't lose power together");
    if (!settings.create()) {
      found.add(
          "when streams drop messages, received or not, can't be seen from here: let them be kept"
              + " longer than any consumer may be down and than %s, for which one may be tried again"
                  .formatted(retrySpan));
      return found;
    }
    RabbitStreamSettings.Retention retention = settings.retention();
    if (!retention.maxAge().isZero() && retention.maxAge().compareTo(retrySpan) < 0) {
      found.add(
          "streams drop messages after %s, received or not, but one may be tried again for %s: keep them longer"
              .formatted(retention.maxAge(), retrySpan));
    } else if (!retention.maxAge().isZero() && retention.maxAge().compareTo(SHORT_AGE) < 0) {
      found.add(
          "streams drop messages after %s, received or not: keep them longer than any consumer may be down"
              .formatted(retention.maxAge()));
    }
    if (retention.maxBytesPerPartition() > 0) {
      found.add(
          "streams drop their oldest messages at %d bytes a partition, received or not: see that consumers keep up"
              .formatted(retention.maxBytesPerPartition()));
    }
    if (retention.maxAge().isZero() && retention.maxBytesPerPartition() == 0) {
      found.add(
          "streams drop nothing, and fill the broker's disk in time: give them a maximum age");
    }
    return found;
  }
}
