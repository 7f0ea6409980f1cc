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
 * once and each caller waits for its own answer, for a limited time. What goes wrong comes out as a
 * {@link StoreException}.
 */
public final class RedisLink {
  /** What a script answers that found its work done already. */
  private static final long ALREADY = 2;

  private static final long NANOS_PER_MICRO = 1000;

  private final RedisClusterAsyncCommands<byte[], byte[]> commands;
  private final String server;
  private final Duration timeout;
  private final Mode mode;
  private final @Nullable ConfirmedWrites confirmed;

  /** What one connection differs in from the next. */
  private enum Mode {
    TIMED_BY_CLIENT,
    TIMED_HERE,
    ASKING
  }

  /** For messages, how long an answer may take, and who looks after that. */
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
   * Over a connection whose client fails every command after {@code timeout} by itself: a timer of
   * its own for each waiting virtual thread costs as much as a third of the whole round trip.
   *
   * @param server for messages, such as "Redis at localhost:6379"
   */
  public static RedisLink timedByClient(
      RedisClusterAsyncCommands<byte[], byte[]> commands, String server, Duration timeout) {
    return new RedisLink(commands, new Terms(server, timeout, Mode.TIMED_BY_CLIENT), null);
  }

  /** Over a connection of which only its user's patience is known; zero: it has no end. */
  public static RedisLink timedHere(
      StatefulRedisConnection<byte[], byte[]> connection, String server) {
    Duration timeout = connection.getTimeout();
    return timeout.isZero()
        ? timedByClient(connection.async(), server, timeout)
        : new RedisLink(connection.async(), new Terms(server, timeout, Mode.TIMED_HERE), null);
  }

  /** The same, but what changes a record is answered only once replicas have it. */
  RedisLink confirming(ConfirmedWrites writes) {
    return new RedisLink(commands, new Terms(server, timeout, mode), writes);
  }

  /** The same, for one thread only: a node takes its commands for a slot that is on its way. */
  RedisLink asking() {
    return new RedisLink(commands, new Terms(server, timeout, Mode.ASKING), null);
  }

  /** A value and its time to live in ms, of the same moment. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Seen(byte[] value, long timeToLive) {}

  /** A script with one key, and what it is given. */
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
        // Were it refused, so would be what follows it.
        RedisFuture<String> unused = commands.asking();
      }
      return command.apply(commands);
    } catch (RedisException | IllegalStateException | RejectedExecutionException e) {
      throw failure(e); // the latter two from a client that was shut down
    }
  }

  <T> @Nullable T ask(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return await(send(command));
  }

  /** For commands that Redis always answers with something. */
  public <T> T get(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return answered(ask(command));
  }

  /** Sets a key that is not there; else gives what is, and changes nothing. */
  byte @Nullable [] setIfAbsent(byte[] key, byte[] value, long timeToLive) {
    SetArgs absent = new SetArgs().nx().px(timeToLive);
    return confirmed == null
        ? ask(c -> c.setGet(key, value, absent))
        : confirmed.<byte[]>write(
            key, node -> node.ask(c -> c.setGet(key, value, absent)), met -> met == null);
  }

  /** True when a script that changes a record says that it is so now. */
  boolean run(RecordScript script, byte[] key, byte[]... arguments) {
    Long answer =
        confirmed == null
            ? execute(script, key, arguments)
            : confirmed.<Long>write(
                key, node -> node.executeVisibly(script, key, arguments), RedisLink::yes);
    return yes(answer);
  }

  /** Like {@link #run}, for what no replica needs to confirm. */
  @Nullable Long execute(RecordScript script, byte[] key, byte[]... arguments) {
    return number(script, new byte[][] {key}, arguments);
  }

  /** The answer of a script whose keys are all in one slot, when it is a number. */
  @Nullable
  public Long number(LuaScript script, byte[][] keys, byte[]... arguments) {
    return finish(this.<Long>send(script, keys, arguments), script, keys, arguments);
  }

  /** The same, when it is a list. */
  public List<Object> list(LuaScript script, byte[][] keys, byte[]... arguments) {
    List<Object> list =
        finish(this.<List<Object>>send(script, keys, arguments), script, keys, arguments);
    return list == null ? List.of() : list;
  }

  /**
   * Sends a script whose keys are all in one slot, and returns before the answer is there. It fails
   * with a {@link StoreException} only.
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

  /** What a stage failed with, without the stages' own wrapping. */
  public static Throwable cause(Throwable e) {
    return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
  }

  /** Waits for what {@link #start} sent. */
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

  /** The answer of a script that writes, once as many replicas have it as was asked for. */
  public List<Object> confirmedList(LuaScript script, byte[][] keys, byte[]... arguments) {
    if (confirmed == null) {
      return list(script, keys, arguments);
    }
    List<Object> answer =
        confirmed.<List<Object>>write(
            keys[0], node -> node.list(script, keys, arguments), written -> true);
    return answer == null ? List.of() : answer;
  }

  /** The lists that scripts answer; all are sent before the first one is waited for. */
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

  /** The same of scripts that write, once as many replicas have it as was asked for. */
  public List<List<Object>> confirmedLists(List<Call> calls) {
    return confirmed == null
        ? lists(calls)
        : calls.stream()
            .map(call -> confirmedList(call.script(), call.keys(), call.arguments()))
            .toList();
  }

  /** The number that a script answers which writes, once as many replicas have it. */
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

  /** What was done already may have been on another connection, so it is written once more. */
  private @Nullable Long executeVisibly(RecordScript script, byte[] key, byte[]... arguments) {
    Long answer = execute(script, key, arguments);
    if (answer != null && answer == ALREADY) {
      execute(RecordScript.TOUCH, key);
    }
    return answer;
  }

  /** What a record was found to be is so on replicas too, if that was asked for. */
  void confirm(byte[] key) {
    if (confirmed != null) {
      confirmed.<Long>write(key, node -> node.execute(RecordScript.TOUCH, key), RedisLink::yes);
    }
  }

  private static boolean yes(@Nullable Long answer) {
    return answer != null && answer > 0;
  }

  /** Null when there is no such key. */
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

  /** Redis forgets scripts when it restarts or is told to; the body brings one back. */
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

  /** On the clock of the server that has what is not about one key. */
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
