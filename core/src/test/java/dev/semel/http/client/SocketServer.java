package dev.semel.http.client;

import dev.semel.http.HttpHeader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** A server that can do what no decent one does: hang up at any point. One request a connection. */
public final class SocketServer implements AutoCloseable {
  /** A request as it came. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Asked(
      String method, String target, Map<String, List<String>> headers, byte[] body) {
    public List<String> header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }
  }

  /** What the server does with one request. */
  public interface Step {
    void answer(Asked asked, Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final Step step;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  public SocketServer(Step step) {
    this.step = step;
    try {
      server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/charge?x=1");
  }

  public List<Asked> asked() {
    return asked;
  }

  /** Of all requests so far, in order. */
  public List<String> keys() {
    return asked.stream().flatMap(a -> a.header(HttpHeader.KEY).stream()).toList();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Asked request = read(new BufferedInputStream(socket.getInputStream()));
      asked.add(request);
      step.answer(request, socket);
    } catch (IOException e) {
      // the other side has gone
    } finally {
      open.remove(socket);
    }
  }

  private static Asked read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("half a request");
      }
      head.write(b);
    }
    List<String> lines = head.toString(StandardCharsets.ISO_8859_1).lines().toList();
    String[] first = lines.get(0).split(" ", 3);
    Map<String, List<String>> headers =
        lines.stream()
            .skip(1)
            .filter(line -> !line.isEmpty())
            .map(line -> line.split(": ?", 2))
            .collect(
                Collectors.groupingBy(
                    pair -> pair[0].toLowerCase(Locale.ROOT),
                    Collectors.mapping(pair -> pair[1], Collectors.toList())));
    int length = Integer.parseInt(headers.getOrDefault("content-length", List.of("0")).get(0));
    return new Asked(first[0], first[1], headers, in.readNBytes(length));
  }

  /** Status, headers as lines, and body. */
  public static Step answer(int status, String body, String... headers) {
    return (asked, socket) -> write(socket, status, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  public static void write(Socket socket, int status, byte[] body, String... headers)
      throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Reason\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Connection: close\r\nContent-Length: ").append(body.length).append("\r\n\r\n");
    socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().write(body);
    socket.getOutputStream().flush();
  }

  /** The connection ends without an answer. */
  public static final Step HANGS_UP = (asked, socket) -> {};

  /** The connection ends without an answer, by a reset. */
  public static final Step RESETS = (asked, socket) -> socket.setSoLinger(true, 0);

  /** Begins an answer and ends in the middle of its body. */
  public static final Step STOPS_HALFWAY =
      (asked, socket) ->
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nhalf"
                      .getBytes(StandardCharsets.UTF_8));

  /** Says nothing until the gate opens. */
  public static Step silentUntil(CountDownLatch gate) {
    return (asked, socket) -> awaitOpen(gate);
  }

  /** Sends headers and a part of the body, and then nothing more. */
  public static Step stallsUntil(CountDownLatch gate) {
    return (asked, socket) -> {
      STOPS_HALFWAY.answer(asked, socket);
      awaitOpen(gate);
    };
  }

  private static void awaitOpen(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One after the other; the last one again and again. */
  public static SocketServer script(Step... steps) {
    CopyOnWriteArrayList<Step> left = new CopyOnWriteArrayList<>(steps);
    return new SocketServer(
        (asked, socket) -> {
          Step next;
          synchronized (left) {
            next = left.size() > 1 ? left.remove(0) : left.get(0);
          }
          next.answer(asked, socket);
        });
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
