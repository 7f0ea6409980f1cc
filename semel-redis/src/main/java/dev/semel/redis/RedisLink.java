package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection that all threads share: commands are sent at once and each caller waits for its
 * own answer, for a limited time. What goes wrong comes out as a {@link StoreException}.
 */
final class RedisLink {
  private final RedisAsyncCommands<byte[], byte[]> commands;
  private final String server;
  private final Duration timeout;
  private final boolean clientTimesOut;

  private RedisLink(
      StatefulRedisConnection<byte[], byte[]> connection,
      String server,
      Duration timeout,
      boolean clientTimesOut) {
    this.commands = connection.async();
    this.server = server;
    this.timeout = timeout;
    this.clientTimesOut = clientTimesOut;
  }

  /**
   * Over a connection whose client fails every command after {@code timeout} by itself: a timer of
   * its own for each waiting virtual thread costs as much as a third of the whole round trip.
   *
   * @param server for messages, such as "Redis at localhost:6379"
   */
  static RedisLink timedByClient(
      StatefulRedisConnection<byte[], byte[]> connection, String server, Duration timeout) {
    return new RedisLink(connection, server, timeout, true);
  }

  /** Over a connection of which nothing is known but how long its user wants to wait. */
  static RedisLink timedHere(StatefulRedisConnection<byte[], byte[]> connection, String server) {
    return new RedisLink(connection, server, connection.getTimeout(), false);
  }

  /** A value and its time to live in ms, of the same moment. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Seen(byte[] value, long timeToLive) {}

  String server() {
    return server;
  }

  <T> RedisFuture<T> send(Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    try {
      return command.apply(commands);
    } catch (RedisException | IllegalStateException | RejectedExecutionException e) {
      throw failure(e); // the latter two from a client that was shut down
    }
  }

  <T> @Nullable T ask(Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return await(send(command));
  }

  /** For commands that Redis always answers with something. */
  <T> T get(Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    T answer = ask(command);
    if (answer == null) {
      throw new StoreException(server + " gave no answer to a command that always has one");
    }
    return answer;
  }

  /** True when a script that changes something says that it is so now. */
  boolean run(Script script, byte[] key, byte[]... arguments) {
    Long answer = this.<Long>finish(sendScript(script, key, arguments), script, key, arguments);
    return answer != null && answer > 0;
  }

  /** Null when there is no such key. */
  @Nullable Seen peek(byte[] key) {
    return finishPeek(sendPeek(key), key);
  }

  RedisFuture<List<Object>> sendPeek(byte[] key) {
    return sendScript(Script.PEEK, key);
  }

  @Nullable Seen finishPeek(RedisFuture<List<Object>> sent, byte[] key) {
    List<Object> answer = finish(sent, Script.PEEK, key);
    return answer == null || answer.isEmpty()
        ? null
        : new Seen((byte[]) answer.get(0), (Long) answer.get(1));
  }

  private <T> RedisFuture<T> sendScript(Script script, byte[] key, byte[]... arguments) {
    return send(c -> c.evalsha(script.sha1(), script.output(), new byte[][] {key}, arguments));
  }

  /** Redis forgets scripts when it restarts or is told to; the body brings one back. */
  private <T> @Nullable T finish(
      RedisFuture<T> sent, Script script, byte[] key, byte[]... arguments) {
    try {
      return await(sent);
    } catch (StoreException e) {
      if (!(e.getCause() instanceof RedisNoScriptException)) {
        throw e;
      }
      return ask(c -> c.eval(script.body(), script.output(), new byte[][] {key}, arguments));
    }
  }

  <T> @Nullable T await(RedisFuture<T> sent) {
    try {
      return clientTimesOut ? sent.get() : sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      sent.cancel(true); // or it would be sent again after the next reconnect, for nobody
      throw timedOut(e);
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new StoreException(
          "interrupted while waiting for %s: whether the command took effect is unknown"
              .formatted(server),
          e);
    } catch (CancellationException e) {
      throw new StoreException("the connection to %s was closed".formatted(server), e);
    }
  }

  private StoreException timedOut(Exception cause) {
    return new StoreException(
        "%s did not answer within %d ms: whether the command took effect is unknown"
            .formatted(server, timeout.toMillis()),
        cause);
  }

  private StoreException failure(Throwable cause) {
    if (cause instanceof RedisCommandTimeoutException e) {
      return timedOut(e);
    }
    String message = String.valueOf(cause.getMessage());
    return cause instanceof RedisCommandExecutionException
        ? new StoreException(
            "%s refused the command: %s%s".formatted(server, message, advice(message)), cause)
        : new StoreException("%s can't be asked: %s".formatted(server, message), cause);
  }

  private static String advice(String error) {
    int end = error.indexOf(' ');
    return switch (end < 0 ? error : error.substring(0, end)) {
      case "OOM" -> " (raise maxmemory, or shorten retentions)";
      case "READONLY" -> " (this is a replica: connect to the primary)";
      case "NOPERM" -> " (allow the user the keys i9y:* and semel:*, and scripting)";
      case "WRONGTYPE" ->
          " (something else writes under i9y: or semel:, so give Semel a database of its own)";
      case "MOVED", "CROSSSLOT" -> " (this is a node of a cluster, not a single Redis)";
      default -> "";
    };
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }
}
