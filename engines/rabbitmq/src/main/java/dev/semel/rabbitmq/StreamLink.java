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
 * The client's environment, which is replaced whole when something of it breaks. Its own recovery
 * is off: it would go on sending over a new connection before anyone asked what the old one had
 * brought to the broker, and then nobody could know any more.
 */
final class StreamLink implements AutoCloseable {
  private static final String LOOP = "semel-rabbit-streams";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** Between the client's three tries to find a connection for a question. */
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
   * @throws StoreException it can't be reached, or does not let us in
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
   * Whether the client asks how long to wait with a question for which there is no connection. It
   * takes the pause from the same place as that before a recovery, and sleeps: the pause that means
   * "give up" there would be one without end here.
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

  /** Something of it failed: it is given up with everything that was made of it. */
  synchronized void broken(Environment which) {
    if (which.equals(current)) {
      current = null;
      loop.wake();
      Loop.beside("semel-rabbit-streams-end", () -> closeQuietly(which));
    }
  }

  /**
   * Something failed with one stream. If the broker says that only this one is away, the others go
   * on; else everything is given up.
   *
   * @return whether it is only this one
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
      return; // what it could not close is gone already
    }
  }

  /** Empty: there is none right now, and a new one is being tried for. */
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
