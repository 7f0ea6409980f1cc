package dev.semel.endtoend;

import dev.semel.junit.proof.ProofRun;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.PostgresService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class JetStreamEndToEndTest extends EndToEnd {
  JetStreamEndToEndTest() {
    super(ShopBroker.JETSTREAM);
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnce(PostgresService postgres) {
    runSome(postgres);
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
    return BrokerService.of(nats.url(), nats::restart, nats::close);
  }
}
