package dev.semel.endtoend;

import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.KafkaTransport;
import dev.semel.kafka.TopicSettings;
import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.rabbitmq.RabbitSettings;
import dev.semel.rabbitmq.RabbitStreamSettings;
import dev.semel.rabbitmq.RabbitStreamTransport;
import dev.semel.rabbitmq.RabbitTransport;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.transport.Transport;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerInfo;
import java.net.URI;
import java.time.Duration;

/** How a process of the test connects to its broker; it creates what the destinations need. */
enum ShopBroker {
  STREAMS {
    @Override
    Transport connect(Route route) {
      return StreamTransport.over(
          StreamClient.connect(URI.create(route.address())),
          StreamTransportSettings.defaults()
              .withConfirmWithin(route.answerWithin())
              .withLease(route.lease()));
    }

    @Override
    Duration longLease() {
      return LONG_LEASE_OF_PARTITIONS;
    }
  },

  KAFKA {
    @Override
    Transport connect(Route route) {
      return kafka(settings(route));
    }
  },

  /** The relay's batches are transactions. */
  KAFKA_TRANSACTIONS {
    @Override
    Transport connect(Route route) {
      return kafka(
          settings(route)
              .withTransactions("relay-" + Ids.uuid7())
              .withOption(
                  "transaction.timeout.ms",
                  Long.toString(route.answerWithin().plusSeconds(2).toMillis())));
    }
  },

  RABBIT_QUEUES {
    @Override
    Transport connect(Route route) {
      return RabbitTransport.connect(
          RabbitSettings.of(route.address())
              .withDestination(route.destination(), Shop.CONSUMER)
              .withDestination(route.deadLetters(), "graveyard")
              .withPublishTimeout(route.answerWithin()));
    }
  },

  RABBIT_STREAMS {
    @Override
    Transport connect(Route route) {
      return RabbitStreamTransport.connect(
          RabbitStreamSettings.of(route.address())
              .withDestination(route.destination())
              .withDestination(route.deadLetters())
              .withPublishTimeout(route.answerWithin()));
    }

    @Override
    Duration longLease() {
      return LONG_LEASE_OF_PARTITIONS;
    }
  },

  JETSTREAM {
    @Override
    Transport connect(Route route) {
      return JetStreamTransport.connect(
          JetStreamSettings.of(
                  route.address(),
                  StreamSettings.of(stream(route), route.destination(), route.deadLetters()))
              .withPublishTimeout(route.answerWithin()));
    }

    // Its lag counts only what was never delivered.
    @Override
    @SuppressWarnings("try") // to be interrupted while closing is as bad as anywhere else
    long unacknowledged(Route route) throws Exception {
      try (Connection connection = Nats.connect(route.address())) {
        return connection.jetStreamManagement().getConsumers(stream(route)).stream()
            .mapToLong(ConsumerInfo::getNumAckPending)
            .sum();
      }
    }

    private static String stream(Route route) {
      return "SHOP-" + route.destination();
    }
  },

  REDIS_STREAMS {
    @Override
    Transport connect(Route route) {
      return RedisStreamsTransport.connect(
          RedisStreamsSettings.of(route.address()).withLease(route.lease()));
    }
  };

  private static final Duration LONG_LEASE = Duration.ofMinutes(15);

  /** Readers look for partitions that were given up ten times in a lease, however long it is. */
  private static final Duration LONG_LEASE_OF_PARTITIONS = Duration.ofMinutes(1);

  abstract Transport connect(Route route);

  /** So long that processes must hand over what they have: nobody wants to wait for its end. */
  Duration longLease() {
    return LONG_LEASE;
  }

  /** How many were delivered and not acknowledged, where a subscription's lag leaves them out. */
  long unacknowledged(Route route) throws Exception {
    return 0;
  }

  /** A member that died is given up after its lease. */
  private static KafkaSettings settings(Route route) {
    return KafkaSettings.of(route.address())
        .withTopics(TopicSettings.of(4).withReplicas(1, 1))
        .withPublishTimeout(route.answerWithin())
        .withOption("session.timeout.ms", Long.toString(route.lease().toMillis()))
        .withOption("heartbeat.interval.ms", "400");
  }

  /** Without a broker a process would end, and be started again. */
  private static Transport kafka(KafkaSettings settings) {
    return await()
        .forever()
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> KafkaTransport.connect(settings), transport -> true);
  }
}
