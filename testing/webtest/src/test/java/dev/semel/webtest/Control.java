package dev.semel.webtest;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.admin.AdminTargets;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.job.spi.JobQueue;
import dev.semel.server.AccessRules;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.MemoryStreams;
import dev.semel.testservices.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** A server that looks at a database over connections of its own, as {@code semel serve} does. */
final class Control implements AutoCloseable {
  private final HikariDataSource pool = new HikariDataSource();
  private final PostgresStore store;
  private final JobQueue jobs;
  private final JdbcOutbox outbox;
  private final JdbcInbox inbox;
  private final MemoryStreams streams = new MemoryStreams(InstantSource.system());
  private SemelServer server;
  private final ServerSettings settings;
  private final AdminTargets targets;

  Control(TestDatabase database) {
    this(database, AccessRules.open());
  }

  Control(TestDatabase database, AccessRules access) {
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(8);
    store = PostgresStore.open(pool);
    jobs = JdbcJobs.on(store);
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults().withKeepHistory(Duration.ofHours(1)));
    inbox = JdbcInbox.on(store);
    targets =
        AdminTargets.of(store)
            .withJobs(jobs)
            .withOutbox(outbox.operations())
            .withInbox(inbox.operations());
    settings =
        ServerSettings.defaults()
            .withAddress("127.0.0.1", 0)
            .withEventLoops(2)
            .withGrace(Duration.ofSeconds(2))
            .withAccess(access);
    server = start(settings);
  }

  private SemelServer start(ServerSettings with) {
    return SemelServer.start(with, ServerBackend.of(streams).withTargets(targets));
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** Goes away, does something, and comes back at the same address. */
  void awayFor(Runnable meanwhile) {
    int port = server.port();
    server.close();
    meanwhile.run();
    server = start(settings.withAddress("127.0.0.1", port));
  }

  @Override
  public void close() {
    server.close();
    jobs.close();
    outbox.close();
    inbox.close();
    store.close();
    streams.close();
    pool.close();
  }
}
