package dev.semel.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy between a driver and a database server. It passes everything, except once: at a COMMIT or
 * another given text it simulates a network fault.
 */
final class CommitProxy implements AutoCloseable {
  enum Fault {
    NONE,
    /** The server commits, but its answer does not reach the client. */
    LOSE_THE_ANSWER,
    /** The connection to the server breaks before the commit arrives. */
    LOSE_THE_COMMIT,
    /**
     * The connection to the client breaks, but the server's stays open until {@link
     * #cutOffTheServer}.
     */
    LOSE_THE_CLIENT
  }

  private static final Pattern PREPARED_COMMIT = Pattern.compile("(S_[0-9]+)\0COMMIT\0");

  /** A COMMIT as PostgreSQL's driver sends it. */
  static final String POSTGRES_COMMIT = "\0COMMIT\0";

  /** A COMMIT as MariaDB's driver sends it: the command for a query, and its text. */
  static final String MARIADB_COMMIT = "\u0003COMMIT";

  private final ServerSocket listener;
  private final int target;
  private final String commit;
  private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);
  private final AtomicReference<Socket> kept = new AtomicReference<>();

  CommitProxy(int target, String commit) throws IOException {
    this.target = target;
    this.commit = commit;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Makes the next COMMIT fail in this way; later ones pass. */
  void failNextCommit(Fault fault) {
    next.set(fault);
  }

  /** Whether a client is lost, and its server does not know. */
  boolean clientIsLost() {
    return kept.get() != null;
  }

  /** Lets the server notice that a client is gone. */
  void cutOffTheServer() throws IOException {
    kept.get().close();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      AtomicReference<Fault> met = new AtomicReference<>(Fault.NONE);
      start(() -> pass(client, server, met, this::requests));
      start(() -> pass(client, server, met, CommitProxy::answers));
    }
  }

  @FunctionalInterface
  private interface Direction {
    void pass(Socket client, Socket server, AtomicReference<Fault> met) throws IOException;
  }

  /** Closes one side when the other ends, unless the fault hides that. */
  private static void pass(
      Socket client, Socket server, AtomicReference<Fault> met, Direction direction)
      throws IOException {
    try {
      direction.pass(client, server, met);
    } finally {
      client.close();
      if (met.get() != Fault.LOSE_THE_CLIENT) {
        server.close();
      }
    }
  }

  private void requests(Socket client, Socket server, AtomicReference<Fault> met)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    InputStream in = client.getInputStream();
    OutputStream out = server.getOutputStream();
    String commit = this.commit;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      String text = new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
      Fault fault = text.contains(commit) ? next.getAndSet(Fault.NONE) : Fault.NONE;
      commit = this.commit.equals(POSTGRES_COMMIT) ? prepared(text).orElse(commit) : commit;
      met.set(fault);
      switch (fault) {
        case NONE, LOSE_THE_ANSWER -> out.write(buffer, 0, n);
        case LOSE_THE_COMMIT -> {
          return;
        }
        case LOSE_THE_CLIENT -> {
          kept.set(server);
          return;
        }
      }
    }
  }

  /** The name of a prepared statement with the text: the driver later sends only the name. */
  private static Optional<String> prepared(String text) {
    Matcher m = PREPARED_COMMIT.matcher(text);
    return m.find() ? Optional.of("\0" + m.group(1) + "\0") : Optional.empty();
  }

  private static void answers(Socket client, Socket server, AtomicReference<Fault> met)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    InputStream in = server.getInputStream();
    OutputStream out = client.getOutputStream();
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      if (met.get() == Fault.LOSE_THE_ANSWER) {
        break;
      }
      out.write(buffer, 0, n);
    }
  }

  @FunctionalInterface
  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                task.run();
              } catch (SocketException closed) {
                // One side closed the connection, and the other one is closed, too.
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
