package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The names of exchanges, queues and streams, and the partition of a message. */
final class RabbitNames {
  /** Limits derived names, with a consumer's and a partition's, to 255 bytes. */
  static final int MAX_DESTINATION_BYTES = 170;

  /** Names of other exchanges, which a destination can't have because they would be ambiguous. */
  private static final Pattern TAKEN = Pattern.compile("amq\\..*|.*\\.lanes-\\d+");

  private final int count;
  private final AtomicInteger turn = new AtomicInteger();

  RabbitNames(int count) {
    this.count = count;
  }

  static void requireCount(int partitions) {
    if (partitions < 1 || partitions > RabbitSettings.MAX_PARTITIONS) {
      throw new InvalidInput(
          "a destination has between 1 and %d partitions".formatted(RabbitSettings.MAX_PARTITIONS));
    }
  }

  static void requireDestination(String destination) {
    if (destination.isEmpty()
        || PrintableText.utf8Length(destination) > MAX_DESTINATION_BYTES
        || !PrintableText.isSafe(destination)) {
      throw new InvalidInput(
          "the destination %s can't be used with RabbitMQ: take up to %d bytes of printable text"
              .formatted(PrintableText.quoted(destination), MAX_DESTINATION_BYTES));
    }
    if (TAKEN.matcher(destination).matches()) {
      throw new InvalidInput(
          "the destination %s looks like an exchange that is there for something else: don't begin it with amq. or end it with .lanes- and a number"
              .formatted(PrintableText.quoted(destination)));
    }
  }

  int count() {
    return count;
  }

  List<String> names() {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  /**
   * The partition of a message. For a key this must never change; messages without a key take
   * turns.
   */
  int of(Message message) {
    int hash =
        message.ordered()
            ? message.orderingKey().hashCode() * 0x9E3779B9
            : turn.getAndIncrement() << 16;
    return (hash >>> 16) % count;
  }

  /**
   * The exchange for messages that other programs send without a partition. Its name contains the
   * number of partitions, so that the broker refuses a process with another number.
   */
  String others(String destination) {
    return destination + ".lanes-" + count;
  }

  static String queue(String destination, String consumer, String partition) {
    return destination + "." + consumer + "." + partition;
  }

  /** The name of a stream, which all consumers share. */
  static String stream(String destination, String partition) {
    return destination + "." + partition;
  }
}
