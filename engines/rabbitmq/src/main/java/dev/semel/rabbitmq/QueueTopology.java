package dev.semel.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.transport.NoSuchDestination;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The exchange of a destination and the queues of its consumers. Creates missing ones, verifies
 * existing ones, and never changes any.
 */
record QueueTopology(RabbitSettings settings, RabbitNames partitions) {
  /** A step on a separate channel, because the broker closes the channel with every refusal. */
  @FunctionalInterface
  interface Step<T> {
    T run(Channel channel) throws IOException;
  }

  static <T> T on(Connection connection, String doing, Step<T> step) {
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new StoreException("RabbitMQ gives no more channels on this connection: use fewer");
      }
      try {
        return step.run(channel);
      } finally {
        if (channel.isOpen()) {
          channel.abort();
        }
      }
    } catch (IOException | ShutdownSignalException e) {
      String said = RabbitRefusals.text(e);
      throw new StoreException(
          said.isEmpty()
              ? "RabbitMQ did not answer while %s: try again".formatted(doing)
              : "RabbitMQ refused %s, and said: %s".formatted(doing, said),
          e);
    }
  }

  /** Creates or verifies everything that the settings name. */
  void ensure(Connection connection) {
    settings
        .destinations()
        .forEach(
            (destination, consumers) -> {
              ensure(connection, destination);
              consumers.forEach(consumer -> ensure(connection, destination, consumer));
            });
  }

  private void ensure(Connection connection, String destination) {
    String others = partitions.others(destination);
    on(
        connection,
        "the exchange "
            + PrintableText.quoted(destination)
            + " with "
            + partitions.count()
            + " partitions",
        channel -> {
          if (settings.create()) {
            channel.exchangeDeclare(
                destination,
                BuiltinExchangeType.DIRECT,
                true,
                false,
                Map.of("alternate-exchange", others));
            return channel.exchangeDeclare(others, BuiltinExchangeType.FANOUT, true);
          }
          channel.exchangeDeclarePassive(destination);
          return channel.exchangeDeclarePassive(others);
        });
  }

  /** Creates or verifies the queues of one consumer, and their exchange. */
  void ensure(Connection connection, String destination, String consumer) {
    ensure(connection, destination);
    on(
        connection,
        "the queues of consumer %s at %s".formatted(consumer, PrintableText.quoted(destination)),
        channel -> {
          for (String partition : partitions.names()) {
            String queue = RabbitNames.queue(destination, consumer, partition);
            if (settings.create()) {
              channel.queueDeclare(queue, true, false, false, arguments());
              channel.queueBind(queue, destination, partition);
            } else {
              channel.queueDeclarePassive(queue);
            }
          }
          if (settings.create()) {
            // Last: until all partitions are bound, messages that have a partition must not enter
            // here.
            String first = RabbitNames.queue(destination, consumer, partitions.names().getFirst());
            channel.queueBind(first, partitions.others(destination), "");
          }
          return true;
        });
  }

  /** Deletes the exchanges and queues; a missing one is no error. */
  void remove(Connection connection, String destination, List<String> consumers) {
    on(
        connection,
        "to delete the exchange " + PrintableText.quoted(destination),
        channel -> {
          for (String consumer : consumers) {
            for (String partition : partitions.names()) {
              channel.queueDelete(RabbitNames.queue(destination, consumer, partition));
            }
          }
          channel.exchangeDelete(destination);
          return channel.exchangeDelete(partitions.others(destination));
        });
  }

  private Map<String, Object> arguments() {
    Map<String, Object> arguments = new HashMap<>();
    arguments.put("x-queue-type", "quorum");
    arguments.put("x-single-active-consumer", true);
    if (settings.maxWaiting() > 0) {
      arguments.put("x-max-length", settings.maxWaiting());
      arguments.put("x-overflow", "reject-publish");
    }
    return arguments;
  }

  /**
   * The number of partitions is only in the name of the exchange for other programs, so this tries
   * each name.
   */
  static int partitionsThere(Connection connection, String destination) {
    if (!isThere(connection, destination)) {
      throw new NoSuchDestination(
          "there is no exchange %s: create it, or name another"
              .formatted(PrintableText.quoted(destination)));
    }
    return IntStream.concat(
            IntStream.of(RabbitSettings.DEFAULT_PARTITIONS),
            IntStream.rangeClosed(1, RabbitSettings.MAX_PARTITIONS))
        .filter(count -> isThere(connection, new RabbitNames(count).others(destination)))
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchDestination(
                    "the exchange %s has no partitions, so it was made for something else: name another"
                        .formatted(PrintableText.quoted(destination))));
  }

  /** Whether the exchange exists. */
  static boolean isThere(Connection connection, String destination) {
    try {
      on(
          connection,
          "to look for the exchange " + PrintableText.quoted(destination),
          channel -> channel.exchangeDeclarePassive(destination));
      return true;
    } catch (StoreException e) {
      if (RabbitRefusals.code(e.getCause()) == RabbitRefusals.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }
}
