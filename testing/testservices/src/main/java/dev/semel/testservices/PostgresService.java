package dev.semel.testservices;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A private PostgreSQL 18 with durable commits: unlike in the library's defaults, {@code fsync} and
 * {@code synchronous_commit} are on. One thread at a time may start, kill and restart it; {@link
 * #close()} deletes its files, or the end of the JVM does.
 */
public final class PostgresService implements AutoCloseable {
  static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  private final ScratchFolder scratch = new ScratchFolder("postgres");
  private final AtomicInteger databases = new AtomicInteger();
  private final Map<String, String> settings;
  private final Thread atExit = new Thread(this::end, "semel-postgres-end");
  private EmbeddedPostgres server;

  @SuppressWarnings("NullAway.Init") // start() sets the server before anyone sees the instance
  private PostgresService(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /** Starts a server, and waits until it accepts connections. */
  public static PostgresService start() {
    return start(Map.of());
  }

  /** Starts a server with additional settings, such as {@code wal_level}. */
  public static PostgresService start(Map<String, String> settings) {
    PostgresService service = new PostgresService(settings);
    try {
      PreparedFiles.copy(PostgresFiles.prepared().emptyDatabase(), service.scratch.path("data"));
      service.launchOnFreePort();
    } catch (IOException e) {
      service.end();
      throw new UncheckedIOException("could not prepare PostgreSQL", e);
    } catch (RuntimeException e) {
      service.end();
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(service.atExit);
    return service;
  }

  private void launchOnFreePort() {
    FreePorts.whileTaken(() -> launch(FreePorts.free()));
  }

  private void launch(int port) {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setPort(port)
              .setOverrideWorkingDirectory(PostgresFiles.prepared().programs().toFile())
              .setDataDirectory(scratch.path("data"))
              .setCleanDataDirectory(false) // a restart must find the last run's commits
              .setRegisterShutdownHook(false) // our hook also deletes the files
              .setPGStartupWait(START_LIMIT)
              .setOutputRedirector(ProcessBuilder.Redirect.appendTo(scratch.log().toFile()))
              .setErrorRedirector(ProcessBuilder.Redirect.appendTo(scratch.log().toFile()))
              .setServerConfig("listen_addresses", FreePorts.HOST)
              .setServerConfig("unix_socket_directories", "") // else a kill leaves files in /tmp
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on");
      settings.forEach(builder::setServerConfig);
      server = builder.start();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "PostgreSQL did not start on port %d (%s). Its log ends with:%n%s"
              .formatted(port, e.getMessage(), scratch.logTail()),
          e);
    }
  }

  public int port() {
    return server.getPort();
  }

  /** The store URL of the initial database. */
  public String url() {
    return database().url();
  }

  /** The initial database; tests that write use a fresh one. */
  public TestDatabase database() {
    return new TestDatabase(port(), "postgres");
  }

  /** A new, empty database; it lasts as long as the server. */
  public TestDatabase freshDatabase() {
    TestDatabase fresh = new TestDatabase(port(), "test_" + databases.incrementAndGet());
    try (Connection connection = database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + fresh.name());
    } catch (SQLException e) {
      throw new IllegalStateException(
          "no fresh database: %s. The server's log ends with:%n%s"
              .formatted(e.getMessage(), scratch.logTail()),
          e);
    }
    return fresh;
  }

  /** The postmaster process; its descendants serve the connections. */
  public ProcessHandle process() {
    return postmaster().orElseThrow(() -> new IllegalStateException("PostgreSQL does not run"));
  }

  private Optional<ProcessHandle> postmaster() {
    if (!Files.exists(pidFile())) {
      return Optional.empty();
    }
    try {
      return ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile()).get(0).strip()));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + pidFile(), e);
    }
  }

  private List<ProcessHandle> processes() {
    return postmaster().stream()
        .flatMap(main -> Stream.concat(Stream.of(main), main.descendants()))
        .toList();
  }

  private Path pidFile() {
    return scratch.path("data").resolve("postmaster.pid");
  }

  /**
   * Kills all its processes by SIGKILL like a power cut, so that recovery has to read the log; its
   * files stay.
   */
  public void kill() {
    List<ProcessHandle> all = processes();
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(all);
    stop(); // releases the library's lock on the data directory
  }

  /** Starts it again after {@link #kill()}, with the same port and files. */
  public void restart() {
    launch(port());
  }

  private void end() {
    if (server != null) {
      List<ProcessHandle> all = processes();
      // Immediately: a slower shutdown would sync files that are deleted next.
      postmaster().ifPresent(main -> ServerProcess.signal(main, "-QUIT"));
      awaitEnd(all); // otherwise the last process would write into directories being deleted
      stop();
    }
    scratch.close();
  }

  private void stop() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL could not be stopped", e);
    }
  }

  private static void awaitEnd(List<ProcessHandle> all) {
    if (!ConditionWait.holds(END_LIMIT, () -> all.stream().noneMatch(ProcessHandle::isAlive))) {
      throw new IllegalStateException("PostgreSQL did not end: " + all);
    }
  }

  @Override
  public void close() {
    end();
    ServerProcess.forgetShutdownHook(atExit);
  }
}
