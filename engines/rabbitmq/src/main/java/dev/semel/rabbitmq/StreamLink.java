package dev.semel.rabbitmq;

import com.rabbitmq.stream.BackOffDelayPolicy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.EnvironmentBuilder;
import com.rabbitmq.stream.StreamException;
import com.rabbitmq.stream.StreamNotAvailableException;
import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client's environment, which is replaced as a whole when a part of it breaks. The client's own
 * recovery is off: it would send over a new connection before anyone asked which messages of the
 * old one the broker has, and after that it is too late to know.
 */
final class StreamLink implements AutoCloseable {
  private static final String LOOP = "semel-rabbit-streams";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** The pause between the client's three attempts to find a connection for a request. */
  private static final Duration ASK_AGAIN = Duration.ofMillis(100);

  private final RabbitServer server;
  private final Duration answerWithin;
  private final Loop loop;
  private volatile @Nullable Environment current;
  private volatile String trouble = "";
  private volatile boolean closed;
  private Backoff backoff = fresh();

  private StreamLink(RabbitServer server, Duration answerWithin) {
    this.server = server;
    this.answerWithin = answerWithin;
    this.current = connect();
    this.loop = Loop.startTimed(Platform.REAL, LOOP, this::mend, LONGEST_PAUSE);
  }

  /**
   * @throws StoreException the broker is unreachable or refuses our credentials
   */
  static StreamLink open(RabbitServer server, Duration answerWithin) {
    return new StreamLink(server, answerWithin);
  }

  private static Backoff fresh() {
    return new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  }

  private Environment connect() {
    List<String> nodes = server.nodes().stream().map(node -> "rabbitmq-stream://" + node).toList();
    EnvironmentBuilder builder =
        Environment.builder()
            .uris(nodes)
            .username(server.access().user())
            .password(server.access().password())
            .virtualHost(server.virtualHost())
            .requestedHeartbeat(HEARTBEAT)
            .rpcTimeout(answerWithin)
            .recoveryBackOffDelayPolicy(attempt -> asked() ? ASK_AGAIN : BackOffDelayPolicy.TIMEOUT)
            .topologyUpdateBackOffDelayPolicy(attempt -> BackOffDelayPolicy.TIMEOUT);
    server.tls().ifPresent(context -> builder.tls().sslContext(StreamTls.of(context)));
    try {
      return builder.build();
    } catch (StreamException e) {
      throw new StoreException(unreachable(String.valueOf(e.getMessage())), e);
    } catch (RuntimeException e) { // the client's connection failed
      throw new StoreException(unreachable(""), e);
    }
  }

  /**
   * Whether the client wants the pause of a request without a connection. It takes that from the
   * same setting as the pause before a recovery, and sleeps: the value that means "give up" for a
   * recovery would be an endless pause here.
   */
  private static boolean asked() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(each -> each.getMethodName().equals("locatorOperation")));
  }

  private String unreachable(String reason) {
    return "RabbitMQ's streams can't be reached at %s as user %s: are they there, and may we in?%s"
        .formatted(
            server.describe(),
            server.access().user(),
            reason.isEmpty() ? "" : " It said: " + reason);
  }

  private long mend() {
    if (closed || current != null) {
      return LONGEST_PAUSE.toNanos();
    }
    try {
      Environment next = connect();
      current = next;
      trouble = "";
      backoff = fresh();
      if (closed) {
        next.close();
      }
      return LONGEST_PAUSE.toNanos();
    } catch (StoreException e) {
      trouble = e.getCause() instanceof StreamException said ? "" + said.getMessage() : "";
      LoopFailures.report(LOOP, e);
      return backoff.nextNanos();
    }
  }

  /** Drops the environment with everything created from it, after a part of it failed. */
  synchronized void broken(Environment which) {
    if (which.equals(current)) {
      current = null;
      loop.wake();
      Loop.beside("semel-rabbit-streams-end", () -> closeQuietly(which));
    }
  }

  /**
   * Handles a failure of one stream. If only this stream is unavailable, the others go on;
   * otherwise the environment is dropped.
   *
   * @return whether only this stream is unavailable
   */
  boolean isAway(Environment which, String stream) {
    try {
      if (which.streamExists(stream)) {
        broken(which);
      }
      return false;
    } catch (StreamNotAvailableException e) {
      return true;
    } catch (StreamException | IllegalStateException e) {
      broken(which);
      return false;
    }
  }

  private static void closeQuietly(Environment environment) {
    try {
      environment.close();
    } catch (RuntimeException e) {
      return; // a part that it could not close is gone already
    }
  }

  /** The environment; empty: there is none now, and the loop tries to open one. */
  Optional<Environment> environment() {
    return Optional.ofNullable(current);
  }

  Environment require() {
    return environment().orElseThrow(() -> new StoreException(why()));
  }

  String why() {
    return closed ? "the transport is closed" : unreachable(trouble);
  }

  boolean closed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    loop.close();
    Environment last = current;
    current = null;
    if (last != null) {
      closeQuietly(last);
    }
  }
}
