package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.cli.connect.BrokerUrls;
import dev.semel.cli.prove.MessageFlow;
import dev.semel.cli.prove.MessageWorker;
import dev.semel.cli.prove.ProofBroker;
import dev.semel.cli.prove.ProofDatabase;
import dev.semel.cli.prove.ProofStreams;
import dev.semel.cli.prove.StreamsFlow;
import dev.semel.jdbc.internal.engine.MariaDbUrl;
import dev.semel.jdbc.internal.engine.PostgresUrl;
import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.FlowVerdict;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.FlowProof;
import dev.semel.proof.flow.ProvedFlow;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.NoSuchDestination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every fault on databases and brokers that machines share. */
@Tag("proof")
@ExtendWith(SharedServices.class)
class ProvePartsLongTest {
  private static final Duration LENGTH = Duration.ofSeconds(ProofRun.volume(30, 600));

  @TempDir Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  void postgresAndNats(PostgresService postgres, NatsService nats) throws Exception {
    String database = postgres.freshDatabase().url();
    messagesHold(database, nats.url());
    try (Connection connection = PostgresUrl.source(database).getConnection()) {
      assertThat(
              count(
                  connection, "information_schema.schemata WHERE schema_name LIKE 'semel_prove%'"))
          .isZero();
      assertThat(count(connection, "information_schema.tables WHERE table_name = 'semel_outbox'"))
          .isZero();
    }
  }

  @Test
  void postgresAndKafka(PostgresService postgres, KafkaService kafka) throws Exception {
    messagesHold(postgres.freshDatabase().url(), kafka.url());
  }

  @Test
  void mariaDbAndRabbitMq(MariaDbService mariadb, RabbitService rabbit) throws Exception {
    String database = mariadb.freshDatabase().url();
    messagesHold(database, rabbit.url());
    try (Connection connection = MariaDbUrl.source(database).getConnection()) {
      assertThat(
              count(
                  connection, "information_schema.schemata WHERE schema_name LIKE 'semel_prove%'"))
          .isZero();
    }
  }

  @Test
  void sqliteAndRedis(RedisService redis) throws Exception {
    messagesHold("sqlite:shop.db", redis.url());
  }

  @Test
  void streamsOnNats(NatsService nats) throws Exception {
    ProofStreams servers = ProofStreams.of(nats.url(), folder, "test", 2, false);
    try (StreamsFlow flow = new StreamsFlow(servers, "test", "")) {
      holds(flow);
    }
  }

  private void messagesHold(String database, String url) throws IOException {
    String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);
    ProofBroker broker = new ProofBroker(url, run, "");
    try (MessageFlow flow =
        new MessageFlow(
            ProofDatabase.create(database, folder, run, false),
            broker,
            Optional.empty(),
            MessageWorker.class)) {
      holds(flow);
    }
    assertThatThrownBy(() -> BrokerUrls.existing(url, broker.destination()))
        .isInstanceOf(NoSuchDestination.class);
  }

  private void holds(ProvedFlow flow) throws IOException {
    long seed = ProofRun.seed();
    report.publishEntry("seed", "" + seed);
    ProofPlan plan = new ProofPlan(LENGTH, List.of(ProcessFault.values()), 3, seed, false);
    Path notes = Files.createDirectory(folder.resolve("notes"));
    FlowVerdict verdict = new FlowProof(plan, notes, ProofProgress.UNWATCHED).run(flow);

    System.out.println(verdict.headline() + " " + verdict.figures() + " " + verdict.leftOut());
    assertThat(verdict.judgement().findings()).isEmpty();
    assertThat(verdict.proved()).as(verdict.headline()).isTrue();
    assertThat(verdict.faults()).isNotEmpty();
    report.publishEntry("faults", "" + verdict.faults().size());
  }

  private static long count(Connection connection, String from) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("SELECT count(*) FROM " + from)) {
      rs.next();
      return rs.getLong(1);
    }
  }
}
