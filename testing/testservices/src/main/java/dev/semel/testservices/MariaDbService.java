package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A private MariaDB {@value MariaDbBinaries#VERSION} with durable commits. One thread at a time may
 * start, kill and restart it; {@link #close()} deletes its files, or the end of the JVM does.
 */
public final class MariaDbService implements AutoCloseable {
  static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  private final ScratchFolder scratch = new ScratchFolder("mariadb");
  private final ServerProcess server = new ServerProcess("MariaDB", scratch, START_LIMIT);
  private final List<String> extraArguments;
  private final AtomicInteger databases = new AtomicInteger();
  private final MariaDbBinaries binaries = MariaDbBinaries.prepared();
  private int port;

  private MariaDbService(List<String> extraArguments) {
    this.extraArguments = extraArguments;
  }

  /**
   * Starts a server, and waits until it accepts connections.
   *
   * @param arguments as on the server's command line, such as {@code "--sql-mode=ANSI"}; they come
   *     after ours and so override them
   */
  public static MariaDbService start(String... arguments) {
    MariaDbService service = new MariaDbService(List.of(arguments));
    service.server.open(service::launchOnFreePort);
    return service;
  }

  private void install() {
    try {
      Files.createDirectory(scratch.path("tmp"));
      PreparedFiles.copy(binaries.emptyDatabase(), scratch.path("data"));
      Files.writeString(
          scratch.path("init.sql"),
          "CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';\nGRANT ALL ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;\n"
              .formatted(MariaDbDatabase.USER, MariaDbDatabase.PASSWORD));
    } catch (IOException e) {
      throw new UncheckedIOException("could not prepare MariaDB", e);
    }
  }

  private void launchOnFreePort() {
    install();
    FreePorts.whileTaken(
        () -> {
          port = FreePorts.free();
          launch();
        });
  }

  private void launch() {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.server().toString(), "--no-defaults"));
    command.addAll(binaries.folders(scratch.path("data")));
    command.add("--tmpdir=" + scratch.path("tmp"));
    command.add("--init-file=" + scratch.path("init.sql"));
    command.addAll(List.of("--bind-address=" + FreePorts.HOST, "--port=" + port));
    command.add("--socket=" + scratch.path("socket"));
    command.add("--skip-name-resolve");
    command.add("--skip-ssl"); // otherwise it first computes a certificate, for seconds
    command.add("--innodb-flush-log-at-trx-commit=1");
    command.addAll(List.of("--innodb-buffer-pool-size=64M", "--innodb-log-file-size=32M"));
    command.addAll(extraArguments);
    server.start(
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(scratch.log().toFile())));
    server.awaitAnswer(port, this::answers);
  }

  private boolean answers() {
    try (Connection connection = database().dataSource().getConnection()) {
      return connection.isValid((int) END_LIMIT.toSeconds());
    } catch (SQLException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** The initial database; tests that write use a fresh one. */
  public MariaDbDatabase database() {
    return new MariaDbDatabase(port, "mysql");
  }

  /** A new, empty database; it lasts as long as the server. */
  public MariaDbDatabase freshDatabase() {
    MariaDbDatabase fresh = new MariaDbDatabase(port, "test_" + databases.incrementAndGet());
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

  public ProcessHandle process() {
    return server.handle();
  }

  /** Kills it by SIGKILL like a power cut; its files stay. */
  public void kill() {
    server.kill();
  }

  /** Starts it again after {@link #kill()}, with the same port and files. */
  public void restart() {
    kill();
    launch();
  }

  @Override
  public void close() {
    server.close();
  }
}
