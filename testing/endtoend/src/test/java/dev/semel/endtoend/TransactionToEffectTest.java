package dev.semel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.inbox.MessageConsumer;
import dev.semel.outbox.Relay;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.proof.history.MessageChecker;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * From a transaction to an effect over every broker, in one process: a relay that never marks what
 * it published and a consumer whose acknowledgement got lost are closed, and others go on. {@link
 * EndToEnd} has processes that are killed.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
final class TransactionToEffectTest {
  private static final int ORDERS = 60;

  @Test
  void streams(PostgresService postgres, @TempDir Path folder) throws Exception {
    try (JournalStreams streams =
            JournalStreams.open(
                folder, InstantSource.system(), JournalStreams.Settings.defaults());
        SemelServer server =
            SemelServer.start(
                ServerSettings.defaults().withAddress("127.0.0.1", 0), ServerBackend.of(streams))) {
      run(postgres, ShopBroker.STREAMS, "http://127.0.0.1:" + server.port());
    }
  }

  @Test
  void kafka(PostgresService postgres, KafkaService kafka) {
    run(postgres, ShopBroker.KAFKA, kafka.url());
  }

  @Test
  void kafkaTransactions(PostgresService postgres, KafkaService kafka) {
    run(postgres, ShopBroker.KAFKA_TRANSACTIONS, kafka.url());
  }

  @Test
  void rabbitQueues(PostgresService postgres, RabbitService rabbit) {
    run(postgres, ShopBroker.RABBIT_QUEUES, rabbit.url());
  }

  @Test
  void rabbitStreams(PostgresService postgres, RabbitService rabbit) {
    run(postgres, ShopBroker.RABBIT_STREAMS, RabbitStreamEndToEndTest.address(rabbit));
  }

  @Test
  void jetStream(PostgresService postgres, NatsService nats) {
    run(postgres, ShopBroker.JETSTREAM, nats.url());
  }

  @Test
  void redisStreams(PostgresService postgres, RedisService redis) {
    run(postgres, ShopBroker.REDIS_STREAMS, redis.url());
  }

  private static void run(PostgresService postgres, ShopBroker broker, String address) {
    String destination = "orders-" + broker.name().toLowerCase(Locale.ROOT).replace('_', '-');
    Route route = new Route(broker, address, destination, broker.longLease());
    try (Shop shop = Shop.open(postgres.freshDatabase().jdbcUrl());
        Orders orders = new Orders(shop, destination)) {
      shop.create();
      Unmarked unmarked = new Unmarked(shop.outbox().store());
      Member first = Member.start(route, shop, unmarked.store());
      Member second;
      try (first) {
        orders.write(ORDERS);
        await().until(() -> shop.count("effects") > 0);
        unmarked.begin();
        first.subscription().loseAcknowledgement();
        orders.write(ORDERS);
        await().until(() -> unmarked.lost() > 0 && first.subscription().hasLost());
        second = Member.start(route, shop, shop.outbox().store());
        orders.write(ORDERS);
      }
      try (second) {
        orders.write(ORDERS);
        long committed = orders.committed().size();
        await().until(() -> shop.count("effects") >= committed && shop.count("semel_outbox") == 0);
      }
      long again = LastConsumer.drain(route, shop, orders);
      again += first.consumer().counts().duplicates() + second.consumer().counts().duplicates();
      assertThat(MessageChecker.check(orders.committed(), shop.effects())).isEmpty();
      assertThat(shop.count("orders")).isEqualTo(orders.committed().size());
      assertThat(shop.count("semel_outbox_dead")).isZero();
      assertThat(again).as("messages that came again").isPositive();
    }
  }

  /** What a process has: a relay and a consumer. */
  private record Member(
      Transport transport, Relay relay, ShopSubscription subscription, MessageConsumer consumer)
      implements AutoCloseable {
    static Member start(Route route, Shop shop, OutboxStore outbox) {
      Transport transport = route.connect();
      ShopSubscription subscription = new ShopSubscription(route.subscribe(shop, transport));
      return new Member(
          transport,
          route.relay(outbox, transport),
          subscription,
          route.consumer(shop, transport, subscription));
    }

    @Override
    public void close() {
      relay.close();
      consumer.close();
      transport.close();
    }
  }

  /** An outbox for a relay that publishes and dies before it marks. */
  private static final class Unmarked {
    private final OutboxStore inner;
    private final AtomicBoolean losing = new AtomicBoolean();
    private final AtomicInteger lost = new AtomicInteger();

    Unmarked(OutboxStore inner) {
      this.inner = inner;
    }

    void begin() {
      losing.set(true);
    }

    int lost() {
      return lost.get();
    }

    OutboxStore store() {
      return (OutboxStore)
          Proxy.newProxyInstance(
              OutboxStore.class.getClassLoader(),
              new Class<?>[] {OutboxStore.class},
              (proxy, method, arguments) -> {
                if (losing.get() && method.getName().equals("published")) {
                  lost.incrementAndGet();
                  throw new StoreException("the database can't be reached");
                }
                try {
                  return method.invoke(inner, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
