package dev.semel.endtoend;

import dev.semel.junit.proof.ProofRun;
import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.PostgresService;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class JetStreamEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) ->
          JetStreamTransport.connect(
              JetStreamSettings.of(address, StreamSettings.of("SHOP", Shop.DESTINATION, Shop.DEAD))
                  .withPublishTimeout(Duration.ofSeconds(2)));

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnce(PostgresService postgres) {
    runFew(postgres);
  }

  @Test
  @Tag("proof")
  void soItDoesWhileProcessesAreRestartedInTurn(PostgresService postgres) {
    roll(postgres, 1);
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnceOnMariaDb(MariaDbService mariaDb) {
    run(mariaDb.freshDatabase().jdbcUrl(), 5000, 2, 15, ProofRun.seed());
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnceOnSqlite() {
    run(folder.resolve("shop.db").toString(), 2000, 2, 10, ProofRun.seed());
  }

  @Override
  protected BrokerService startBroker() {
    NatsService nats = NatsService.start();
    return new BrokerService() {
      @Override
      public String address() {
        return nats.url();
      }

      @Override
      public void crash() {
        nats.kill();
        nats.restart();
      }

      @Override
      public void close() {
        nats.close();
      }
    };
  }

  @Override
  protected ShopBroker broker() {
    return BROKER;
  }

  @Override
  protected Class<?> process() {
    return Child.class;
  }

  /** A relay or a consumer. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      ShopProcess.run(BROKER, arguments);
    }
  }
}
