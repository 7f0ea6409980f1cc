package dev.semel.proof.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy between clients on this machine and a server that simulates network faults: it cuts or
 * refuses connections, falls silent, adds delay, or passes requests but not their answers.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 << 10;
  private static final int CONNECT_MILLIS = 10_000;

  private final ServerSocket listener;
  private volatile InetSocketAddress target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile Weather weather = Weather.CLEAR;
  private volatile Duration delay = Duration.ZERO;
  private final AtomicLong swallowed = new AtomicLong();

  /** The state of the simulated network. */
  public enum Weather {
    CLEAR,
    /** Open connections are closed, and new ones too. */
    CUT,
    /** Half open: connections stay, but no data passes in either direction. */
    SILENT,
    /** Requests pass, their answers don't. */
    ANSWERS_LOST
  }

  private FaultProxy(ServerSocket listener, InetSocketAddress target) {
    this.listener = listener;
    this.target = target;
  }

  /** A proxy on a free loopback port, before a port of this machine. */
  public static FaultProxy before(int port) {
    return before(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** A proxy on a free loopback port, before a server on any machine. */
  public static FaultProxy before(InetSocketAddress target) {
    try {
      ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      FaultProxy proxy = new FaultProxy(listener, target);
      Thread.ofVirtual().name("fault-proxy").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Changes the weather from now on. Data lost before stays lost. */
  public void set(Weather next) {
    weather = next;
    if (next == Weather.CUT) {
      sockets.forEach(FaultProxy::close);
    }
  }

  /** Sends new connections to another port of this machine, where the server restarted. */
  public void redirect(int port) {
    target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** The number of lost pieces of requests and answers. */
  public long swallowed() {
    return swallowed.get();
  }

  /** Delays everything by this long, in each direction. */
  public void delay(Duration each) {
    delay = each;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        // A thread per connection, because connecting to a distant server may take long.
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException e) {
        // The proxy was closed.
      }
    }
  }

  private boolean refused() {
    return weather == Weather.CUT || listener.isClosed();
  }

  private void connect(Socket client) {
    if (refused()) {
      close(client);
      return;
    }
    Socket server = new Socket();
    try {
      sockets.add(client);
      sockets.add(server);
      server.connect(target, CONNECT_MILLIS);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      // Checks again: a concurrent cut may have closed all connections before these were known.
      if (refused()) {
        end(client, server);
        return;
      }
      Thread.ofVirtual().start(() -> copy(client, server, true));
      Thread.ofVirtual().start(() -> copy(server, client, false));
    } catch (IOException e) {
      end(client, server); // the server is unreachable
    }
  }

  private void copy(Socket from, Socket to, boolean request) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!delay.isZero()) {
          LockSupport.parkNanos(delay.toNanos());
        }
        boolean passes = weather == Weather.CLEAR || (weather == Weather.ANSWERS_LOST && request);
        if (passes) {
          out.write(buffer, 0, read);
        } else {
          swallowed.incrementAndGet();
        }
      }
    } catch (IOException e) {
      // The proxy or one end closed the connection; the other end is closed below.
    } finally {
      end(from, to);
    }
  }

  private void end(Socket one, Socket other) {
    close(one);
    close(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed in either case.
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      // It is closed in either case.
    }
    sockets.forEach(FaultProxy::close);
  }
}
