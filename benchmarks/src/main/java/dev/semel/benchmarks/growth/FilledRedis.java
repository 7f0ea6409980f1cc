package dev.semel.benchmarks.growth;

import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.RedisService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Redis without persistence, filled by pipelined commands. */
final class FilledRedis implements FilledStore {
  private static final int BUFFER = 1 << 20;
  private static final int TOKEN_AT = 1;
  private static final byte[] OK = "+OK\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final RedisService service = RedisService.start("--appendonly", "no");
  private final RedisStore store = RedisStore.open(service.url());
  private final RedisClient client = RedisClient.create(service.url());
  private final StatefulRedisConnection<byte[], byte[]> connection =
      client.connect(ByteArrayCodec.INSTANCE);
  private final byte[] template;

  FilledRedis() {
    String id = "f".repeat(FilledStore.id(0).length());
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      FilledStore.execute(idempotency, FilledStore.key(id));
    }
    template = Objects.requireNonNull(connection.sync().get(name(id)));
  }

  @Override
  public String name() {
    return "Redis";
  }

  private static byte[] name(String id) {
    return ("i9y:{" + FilledStore.key(id).text() + "}").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void fill(long first, long end) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
      CompletableFuture<Long> answered = new CompletableFuture<>();
      InputStream in = socket.getInputStream();
      Thread.ofPlatform().daemon().start(() -> count(in, (end - first) * OK.length, answered));
      OutputStream out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
      SplittableRandom random = new SplittableRandom(first);
      for (long n = first; n < end; n++) {
        byte[] value = template.clone();
        ByteBuffer.wrap(value, TOKEN_AT, 2 * Long.BYTES)
            .putLong(random.nextLong())
            .putLong(random.nextLong());
        command(out, name(FilledStore.id(n)), value);
      }
      out.flush();
      answered.get();
    }
    compare(end - 1);
  }

  private static void command(OutputStream out, byte[] name, byte[] value) throws IOException {
    byte[] px = Long.toString(DAY).getBytes(StandardCharsets.US_ASCII);
    out.write("*5\r\n".getBytes(StandardCharsets.US_ASCII));
    byte[][] parts = {
      "SET".getBytes(StandardCharsets.US_ASCII),
      name,
      value,
      "PX".getBytes(StandardCharsets.US_ASCII),
      px
    };
    for (byte[] part : parts) {
      out.write(("$" + part.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(part);
      out.write(OK, OK.length - 2, 2);
    }
  }

  /** Counts the answers, which must all be OK. */
  private static void count(InputStream in, long bytes, CompletableFuture<Long> answered) {
    byte[] buffer = new byte[BUFFER];
    try {
      long seen = 0;
      while (seen < bytes) {
        int read = in.read(buffer);
        for (int i = 0; i < read; i++) {
          if (buffer[i] != OK[(int) ((seen + i) % OK.length)]) {
            throw new IOException("Redis refused a record");
          }
        }
        seen += read;
      }
      answered.complete(seen);
    } catch (IOException e) {
      answered.completeExceptionally(e);
    }
  }

  /** Checks that a filled record has the size of one that the store wrote. */
  private void compare(long number) {
    long ours = memory(FilledStore.id(number));
    long theirs = memory("f".repeat(FilledStore.id(0).length()));
    if (ours != theirs) {
      throw new IllegalStateException(
          "a record takes %d bytes, one of the store %d".formatted(ours, theirs));
    }
  }

  private long memory(String id) {
    return Objects.requireNonNull(connection.sync().memoryUsage(name(id)));
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public long bytes() {
    return connection
        .sync()
        .info("memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }

  @Override
  public long serviceNanos() {
    return Load.of(service.process()).getAsLong();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
    store.close();
    service.close();
  }
}
