package dev.semel.redis.internal;

import dev.semel.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection that all threads share, to a Redis or to a whole cluster: commands are sent at
 * once, and each caller waits a limited time for its answer. Failures become a {@link
 * StoreException}.
 */
public final class RedisLink {
  /** A script's answer when its change was made earlier. */
  private static final long ALREADY = 2;

  private static final long NANOS_PER_MICRO = 1000;

  private final RedisClusterAsyncCommands<byte[], byte[]> commands;
  private final String server;
  private final Duration timeout;
  private final Mode mode;
  private final @Nullable ConfirmedWrites confirmed;

  /** How a connection handles timeouts and moving slots. */
  private enum Mode {
    TIMED_BY_CLIENT,
    TIMED_HERE,
    ASKING
  }

  /** The server's name for messages, the timeout, and its mode. */
  private record Terms(String server, Duration timeout, Mode mode) {}

  private RedisLink(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      Terms terms,
      @Nullable ConfirmedWrites confirmed) {
    this.commands = commands;
    this.server = terms.server();
    this.timeout = terms.timeout();
    this.mode = terms.mode();
    this.confirmed = confirmed;
  }

  /**
   * A link over a client that fails every command after {@code timeout}: one more timer per waiting
   * virtual thread costs up to a third of the whole round trip.
   *
   * @param server the name for messages, such as "Redis at localhost:6379"
   */
  public static RedisLink timedByClient(
      RedisClusterAsyncCommands<byte[], byte[]> commands, String server, Duration timeout) {
    return new RedisLink(commands, new Terms(server, timeout, Mode.TIMED_BY_CLIENT), null);
  }

  /** A link over an application's connection, with this timeout; zero: no limit. */
  public static RedisLink timedHere(
      StatefulRedisConnection<byte[], byte[]> connection, String server) {
    Duration timeout = connection.getTimeout();
    return timeout.isZero()
        ? timedByClient(connection.async(), server, timeout)
        : new RedisLink(connection.async(), new Terms(server, timeout, Mode.TIMED_HERE), null);
  }

  /** A copy that returns from changes to records only once replicas have them. */
  RedisLink confirming(ConfirmedWrites writes) {
    return new RedisLink(commands, new Terms(server, timeout, mode), writes);
  }

  /** A copy for one thread, whose node accepts commands for a slot that is moving to it. */
  RedisLink asking() {
    return new RedisLink(commands, new Terms(server, timeout, Mode.ASKING), null);
  }

  /** A value and its remaining time to live in ms, read at the same moment. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Seen(byte[] value, long timeToLive) {}

  /** A script with one key and its arguments. */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared
  record Call(LuaScript script, byte[] key, byte[]... arguments) {
    byte[][] keys() {
      return new byte[][] {key};
    }
  }

  public String server() {
    return server;
  }

  <T> RedisFuture<T> send(
      Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    try {
      if (mode == Mode.ASKING) {
        // The answer is ignored: if this fails, so does the next command.
        RedisFuture<String> unused = commands.asking();
      }
      return command.apply(commands);
    } catch (RedisException | IllegalStateException | RejectedExecutionException e) {
      throw failure(e); // a client that was shut down throws the latter two
    }
  }

  <T> @Nullable T ask(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return await(send(command));
  }

  /** Runs a command that always has an answer. */
  public <T> T get(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return answered(ask(command));
  }

  /** Sets a missing key; otherwise returns its value and changes nothing. */
  byte @Nullable [] setIfAbsent(byte[] key, byte[] value, long timeToLive) {
    SetArgs absent = new SetArgs().nx().px(timeToLive);
    return confirmed == null
        ? ask(c -> c.setGet(key, value, absent))
        : confirmed.<byte[]>write(
            key, node -> node.ask(c -> c.setGet(key, value, absent)), met -> met == null);
  }

  /**
   * Runs a script that changes a record.
   *
   * @return true when the change holds now
   */
  boolean run(RecordScript script, byte[] key, byte[]... arguments) {
    Long answer =
        confirmed == null
            ? execute(script, key, arguments)
            : confirmed.<Long>write(
                key, node -> node.executeVisibly(script, key, arguments), RedisLink::yes);
    return yes(answer);
  }

  /** Like {@link #run}, without waiting for replicas. */
  @Nullable Long execute(RecordScript script, byte[] key, byte[]... arguments) {
    return number(script, new byte[][] {key}, arguments);
  }

  /** Runs a script with a numeric answer; its keys share a slot. */
  @Nullable
  public Long number(LuaScript script, byte[][] keys, byte[]... arguments) {
    return finish(this.<Long>send(script, keys, arguments), script, keys, arguments);
  }

  /** Runs a script with a list as its answer; its keys share a slot. */
  public List<Object> list(LuaScript script, byte[][] keys, byte[]... arguments) {
    List<Object> list =
        finish(this.<List<Object>>send(script, keys, arguments), script, keys, arguments);
    return list == null ? List.of() : list;
  }

  /**
   * Sends a script whose keys share a slot, and returns without waiting. The future fails only with
   * a {@link StoreException}.
   */
  public <T> CompletableFuture<T> start(LuaScript script, byte[][] keys, byte[]... arguments) {
    try {
      return this.<T>send(script, keys, arguments)
          .toCompletableFuture()
          .exceptionallyCompose(
              e ->
                  cause(e) instanceof RedisNoScriptException
                      ? this.<T>send(c -> c.eval(script.body(), script.output(), keys, arguments))
                          .toCompletableFuture()
                      : CompletableFuture.failedFuture(e))
          .exceptionallyCompose(e -> CompletableFuture.failedFuture(told(cause(e))));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private StoreException told(Throwable cause) {
    return cause instanceof StoreException e ? e : failure(cause);
  }

  /** The original failure, without the wrapping of stages. */
  public static Throwable cause(Throwable e) {
    return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
  }

  /** Waits for the answer to {@link #start}. */
  public <T> T finish(CompletableFuture<T> sent) {
    try {
      return sent.get();
    } catch (ExecutionException e) {
      throw told(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(
          "interrupted while waiting for %s: whether the command took effect is unknown"
              .formatted(server),
          e);
    }
  }

  /** Runs a writing script with a list as its answer, and waits for the configured replicas. */
  public List<Object> confirmedList(LuaScript script, byte[][] keys, byte[]... arguments) {
    if (confirmed == null) {
      return list(script, keys, arguments);
    }
    List<Object> answer =
        confirmed.<List<Object>>write(
            keys[0], node -> node.list(script, keys, arguments), written -> true);
    return answer == null ? List.of() : answer;
  }

  /** Runs scripts with lists as answers; sends all before it waits for the first. */
  public List<List<Object>> lists(List<Call> calls) {
    List<RedisFuture<List<Object>>> sent = new ArrayList<>(calls.size());
    for (Call call : calls) {
      sent.add(send(call.script(), call.keys(), call.arguments()));
    }
    List<List<Object>> answers = new ArrayList<>(calls.size());
    for (int i = 0; i < sent.size(); i++) {
      Call call = calls.get(i);
      answers.add(answered(finish(sent.get(i), call.script(), call.keys(), call.arguments())));
    }
    return answers;
  }

  /** Runs writing scripts with lists as answers, and waits for the configured replicas. */
  public List<List<Object>> confirmedLists(List<Call> calls) {
    return confirmed == null
        ? lists(calls)
        : calls.stream()
            .map(call -> confirmedList(call.script(), call.keys(), call.arguments()))
            .toList();
  }

  /** Runs a writing script with a numeric answer, and waits for the configured replicas. */
  public long confirmedNumber(Call call) {
    return answered(
        confirmed == null
            ? number(call.script(), call.keys(), call.arguments())
            : confirmed.<Long>write(
                call.key(),
                node -> node.number(call.script(), call.keys(), call.arguments()),
                RedisLink::yes));
  }

  private <T> T answered(@Nullable T answer) {
    if (answer == null) {
      throw new StoreException(server + " gave no answer to a command that always has one");
    }
    return answer;
  }

  /**
   * Writes an earlier change again, because it may have used another connection, which WAIT
   * ignores.
   */
  private @Nullable Long executeVisibly(RecordScript script, byte[] key, byte[]... arguments) {
    Long answer = execute(script, key, arguments);
    if (answer != null && answer == ALREADY) {
      execute(RecordScript.TOUCH, key);
    }
    return answer;
  }

  /** Waits until the replicas also have the record that was read, if so configured. */
  void confirm(byte[] key) {
    if (confirmed != null) {
      confirmed.<Long>write(key, node -> node.execute(RecordScript.TOUCH, key), RedisLink::yes);
    }
  }

  private static boolean yes(@Nullable Long answer) {
    return answer != null && answer > 0;
  }

  /** null: there is no such key */
  @Nullable Seen peek(byte[] key) {
    return finishPeek(sendPeek(key), key);
  }

  RedisFuture<List<Object>> sendPeek(byte[] key) {
    return send(RecordScript.PEEK, new byte[][] {key});
  }

  @Nullable Seen finishPeek(RedisFuture<List<Object>> sent, byte[] key) {
    List<Object> answer = finish(sent, RecordScript.PEEK, new byte[][] {key});
    return answer == null || answer.isEmpty()
        ? null
        : new Seen((byte[]) answer.get(0), (Long) answer.get(1));
  }

  private <T> RedisFuture<T> send(LuaScript script, byte[][] keys, byte[]... arguments) {
    return send(c -> c.evalsha(script.sha1(), script.output(), keys, arguments));
  }

  /** Sends the script's body if Redis does not know its hash, as after a restart. */
  private <T> @Nullable T finish(
      RedisFuture<T> sent, LuaScript script, byte[][] keys, byte[]... arguments) {
    try {
      return await(sent);
    } catch (StoreException e) {
      if (!(e.getCause() instanceof RedisNoScriptException)) {
        throw e;
      }
      return ask(c -> c.eval(script.body(), script.output(), keys, arguments));
    }
  }

  /** The clock of the server with the data that is not about one key. */
  public Instant now() {
    List<Object> time = list(RecordScript.NOW, new byte[][] {RedisStatistics.TOTALS});
    if (time.size() != 2) {
      throw new StoreException(server + " does not tell the time");
    }
    return Instant.ofEpochSecond(number(time.get(0)), number(time.get(1)) * NANOS_PER_MICRO);
  }

  private static long number(Object ascii) {
    return Long.parseLong(new String((byte[]) ascii, StandardCharsets.US_ASCII));
  }

  public <T> @Nullable T await(RedisFuture<T> sent) {
    try {
      return mode == Mode.TIMED_HERE
          ? sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS)
          : sent.get();
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      sent.cancel(true); // otherwise the client would send it again after a reconnect
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
      case "MOVED", "CROSSSLOT" ->
          " (this is a node of a cluster, not a single Redis: use a redis-cluster:// URL)";
      case "CLUSTERDOWN" ->
          " (some slots have no primary: a replica takes over after cluster-node-timeout, so try again; redis-cli --cluster check shows what is missing)";
      default -> "";
    };
  }

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }
}
