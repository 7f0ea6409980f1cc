package dev.semel.server.gateway;

import dev.semel.InvalidInput;
import dev.semel.server.http.MemoryBudget;
import java.time.Duration;

/**
 * Limits and timeouts of a gateway, which you pass to {@link GatewaySettings#withLimits}.
 *
 * @param guarded requests with a key at a time, including those that wait for another one
 * @param heldBytes bytes held for all callers together, bodies of such requests and answers that
 *     were not taken yet: see {@link MemoryBudget}
 * @param connections to the upstream at a time
 * @param queue requests that wait for such a connection
 * @param connectTimeout until there is a connection to the upstream
 * @param timeout until the upstream has answered; for a streamed answer, until it continues
 * @param bodyTimeout until the body of a request with a key has arrived
 * @param keepAlive how long an unused connection to the upstream is kept. Choose less than the
 *     service's own limit: a request that meets a closing connection is in doubt
 */
public record GatewayLimits(
    int guarded,
    long heldBytes,
    int connections,
    int queue,
    Duration connectTimeout,
    Duration timeout,
    Duration bodyTimeout,
    Duration keepAlive) {
  public GatewayLimits {
    if (guarded < 1 || heldBytes < 1 || connections < 1 || queue < 1) {
      throw new InvalidInput("a limit of the gateway is too small: use at least 1");
    }
    if (connectTimeout.toMillis() < 1 || timeout.toMillis() < 1 || bodyTimeout.toMillis() < 1) {
      throw new InvalidInput("the gateway would not wait at all: use at least 1ms");
    }
    if (timeout.compareTo(Duration.ofHours(1)) > 0
        || connectTimeout.compareTo(Duration.ofHours(1)) > 0) {
      throw new InvalidInput("the gateway would wait for too long: use at most 1h");
    }
    if (keepAlive.toSeconds() < 1) {
      throw new InvalidInput("connections are kept for at least 1s");
    }
  }

  public static GatewayLimits defaults() {
    return new GatewayLimits(
        512,
        MemoryBudget.defaultBytes(),
        256,
        2048,
        Duration.ofSeconds(5),
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        Duration.ofSeconds(3));
  }

  public GatewayLimits withGuarded(int count) {
    return new GatewayLimits(
        count, heldBytes, connections, queue, connectTimeout, timeout, bodyTimeout, keepAlive);
  }

  public GatewayLimits withHeldBytes(long bytes) {
    return new GatewayLimits(
        guarded, bytes, connections, queue, connectTimeout, timeout, bodyTimeout, keepAlive);
  }

  public GatewayLimits withConnections(int count, int waiting) {
    return new GatewayLimits(
        guarded, heldBytes, count, waiting, connectTimeout, timeout, bodyTimeout, keepAlive);
  }

  public GatewayLimits withTimeouts(Duration connect, Duration answer) {
    return new GatewayLimits(
        guarded, heldBytes, connections, queue, connect, answer, bodyTimeout, keepAlive);
  }

  public GatewayLimits withBodyTimeout(Duration time) {
    return new GatewayLimits(
        guarded, heldBytes, connections, queue, connectTimeout, timeout, time, keepAlive);
  }

  public GatewayLimits withKeepAlive(Duration time) {
    return new GatewayLimits(
        guarded, heldBytes, connections, queue, connectTimeout, timeout, bodyTimeout, time);
  }
}
