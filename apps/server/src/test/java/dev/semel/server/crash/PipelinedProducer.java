package dev.semel.server.crash;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * A producer on a bare socket. It keeps several batches in flight, sometimes hangs up in the middle
 * of a request or before the answers, and sends every unanswered batch again.
 */
final class PipelinedProducer implements Runnable {
  private static final int IN_FLIGHT = 5;
  private static final int TIMEOUT_MILLIS = 2_000;

  /** Counts over all producers of a run. */
  static final class Tally {
    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong duplicates = new AtomicLong();
    final AtomicLong lostConnections = new AtomicLong();
    final AtomicLong timeouts = new AtomicLong();
  }

  /** An answer's status and relevant header. */
  record Reply(int status, long seq) {}

  private final CrashingServer server;
  private final String path;
  private final String type;
  private final String id;
  private final LongFunction<String> batch;
  private final Random random;
  private final Tally tally;
  private volatile boolean stopping;
  private long acknowledged;

  /** Over all connections; a batch that was never sent needs no answer. */
  private long sent;

  PipelinedProducer(
      CrashingServer server,
      String path,
      String type,
      String id,
      LongFunction<String> batch,
      long seed,
      Tally tally) {
    this.server = server;
    this.path = path;
    this.type = type;
    this.id = id;
    this.batch = batch;
    this.random = new Random(seed);
    this.tally = tally;
  }

  /** Sends nothing new, but continues until every sent batch is answered. */
  void stop() {
    stopping = true;
  }

  /** Number of stored batches; valid after the end. */
  long acknowledged() {
    return acknowledged;
  }

  @Override
  public void run() {
    while (!stopping || acknowledged < sent) {
      try (Socket socket = new Socket()) {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), TIMEOUT_MILLIS);
        converse(socket);
      } catch (SocketTimeoutException e) {
        tally.timeouts.incrementAndGet();
      } catch (IOException e) {
        tally.lostConnections.incrementAndGet();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void converse(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    InputStream in = new BufferedInputStream(socket.getInputStream());
    long next = acknowledged;
    while (true) {
      while (next - acknowledged < IN_FLIGHT && (!stopping || next < sent)) {
        boolean torn = !stopping && random.nextInt(300) == 0;
        byte[] request = request(next);
        next++;
        sent = Math.max(sent, next);
        out.write(request, 0, torn ? random.nextInt(request.length) : request.length);
        if (torn) {
          return; // hangs up in the middle
        }
      }
      boolean deaf = !stopping && random.nextInt(150) == 0;
      if (deaf || next == acknowledged || !answered(reply(in))) {
        return; // hangs up before the answers, or is done
      }
    }
  }

  /** False: the batch must be sent again on another connection. */
  private boolean answered(Reply reply) {
    switch (reply.status()) {
      case 200 -> {
        if (reply.seq() != acknowledged) {
          throw new AssertionError(
              "%s: batch %d was answered as %d".formatted(id, acknowledged, reply.seq()));
        }
      }
      case 204 -> tally.duplicates.incrementAndGet();
      case 429, 503 -> {
        return false;
      }
      default ->
          throw new AssertionError(
              "%s: batch %d got status %d".formatted(id, acknowledged, reply.status()));
    }
    acknowledged++;
    tally.acknowledged.incrementAndGet();
    return true;
  }

  private byte[] request(long seq) {
    byte[] body = batch.apply(seq).getBytes(StandardCharsets.UTF_8);
    String head =
        """
        POST /v1/stream/%s HTTP/1.1\r
        Host: localhost\r
        Content-Type: %s\r
        Content-Length: %d\r
        Producer-Id: %s\r
        Producer-Epoch: 0\r
        Producer-Seq: %d\r
        \r
        """
            .formatted(path, type, body.length, id, seq);
    byte[] headBytes = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(headBytes, headBytes.length + body.length);
    System.arraycopy(body, 0, all, headBytes.length, body.length);
    return all;
  }

  static Reply reply(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).substring(9, 12));
    long seq = -1;
    int length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      String value = header.substring(colon + 1).strip();
      switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "producer-seq" -> seq = Long.parseLong(value);
        case "content-length" -> length = Integer.parseInt(value);
        default -> {}
      }
    }
    in.readNBytes(length);
    return new Reply(status, seq);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("hung up on");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
