package dev.semel.redis.internal;

import dev.semel.StoreException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection that never reconnects, for writes and for WAIT. All threads share it. While Redis
 * waits for replicas it runs no other command of this connection, so one answer covers all writes
 * before the question.
 */
final class ConfirmingNode {
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final RedisLink link;
  private final RedisOptions options;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile long asked;
  private long answered; // with the lock held
  private long confirmed; // with the lock held

  ConfirmingNode(
      StatefulRedisConnection<byte[], byte[]> connection, String server, RedisOptions options) {
    this.connection = connection;
    this.link = RedisLink.timedByClient(connection.async(), server, options.timeout());
    this.options = options;
  }

  RedisLink link() {
    return link;
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  /** Returns when enough replicas have all earlier writes of this connection. */
  void confirm() {
    long before = asked; // a question already sent may be too early for this write
    asking.lock();
    try {
      if (answered <= before) {
        long number = asked + 1;
        asked = number;
        confirmed =
            link.get(
                c ->
                    c.waitForReplication(options.waitReplicas(), options.waitTimeout().toMillis()));
        answered = number;
      }
      if (confirmed < options.waitReplicas()) {
        throw new StoreException(
            "%d of %d replicas of %s confirmed the write within %d ms: it may or may not survive a failover. Asking again with the same token is safe; if this stays so, look after the replicas, or ask for fewer with wait="
                .formatted(
                    confirmed,
                    options.waitReplicas(),
                    link.server(),
                    options.waitTimeout().toMillis()));
      }
    } finally {
      asking.unlock();
    }
  }

  void close() {
    connection.close();
  }
}
