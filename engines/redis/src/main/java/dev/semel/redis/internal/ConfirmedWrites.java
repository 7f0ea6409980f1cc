package dev.semel.redis.internal;

import dev.semel.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes that return only once enough replicas have them. Redis's WAIT covers the writes of its
 * connection only, so write and WAIT share a connection that never reconnects: a new one could not
 * answer for a broken one. Therefore this class follows a cluster's redirects instead of the
 * client.
 */
final class ConfirmedWrites {
  /** How many redirects a write follows. */
  static final int MAX_REDIRECTS = 8;

  private static final Pattern REDIRECT = Pattern.compile("(MOVED|ASK) \\d+ (.*):(\\d{1,5})");

  private final RedisClient client;
  private final Nodes nodes;
  private final RedisOptions options;
  private final Map<String, CompletableFuture<ConfirmingNode>> open = new ConcurrentHashMap<>();

  /** Finds the node of a slot; a single Redis has all slots. */
  interface Nodes {
    RedisURI of(int slot);

    /** Reports that a node is gone or does not have the slot. */
    void wrong();
  }

  /**
   * Opens separate connections.
   *
   * @param client a client that does not reconnect
   */
  ConfirmedWrites(RedisClient client, Nodes nodes, RedisOptions options) {
    this.client = client;
    this.nodes = nodes;
    this.options = options;
  }

  /**
   * Writes, and waits for the replicas if something was written.
   *
   * @throws StoreException also when it was written but too few replicas confirmed it
   */
  <T> @Nullable T write(
      byte[] key, Function<RedisLink, @Nullable T> write, Predicate<@Nullable T> written) {
    RedisURI target = nodes.of(SlotHash.getSlot(key));
    boolean asking = false;
    for (int redirects = 0; ; redirects++) {
      try {
        return asking ? askingAt(target, write, written) : at(target, write, written);
      } catch (StoreException e) {
        Matcher redirect = redirect(e);
        if (redirect == null || redirects == MAX_REDIRECTS) {
          nodes.wrong();
          throw e;
        }
        asking = redirect.group(1).equals("ASK");
        if (!asking) {
          nodes.wrong();
        }
        target = target(target, redirect.group(2), Integer.parseInt(redirect.group(3)));
      }
    }
  }

  /**
   * The redirect's target. A node that does not know its host sends none: then the host is the
   * same.
   */
  private static RedisURI target(RedisURI from, String host, int port) {
    RedisURI.Builder to = RedisURI.builder(from).withPort(port);
    return (host.isEmpty() ? to : to.withHost(host)).build();
  }

  private static @Nullable Matcher redirect(StoreException e) {
    String message = e.getCause() == null ? null : e.getCause().getMessage();
    Matcher m = REDIRECT.matcher(message == null ? "" : message);
    return m.matches() ? m : null;
  }

  private <T> @Nullable T at(
      RedisURI uri, Function<RedisLink, @Nullable T> write, Predicate<@Nullable T> written) {
    ConfirmingNode node = node(uri);
    T answer = write.apply(node.link());
    if (written.test(answer)) {
      node.confirm();
    }
    return answer;
  }

  /**
   * Opens a connection for one write, because ASKING would otherwise let another caller's command
   * in. Needed only while a slot moves.
   */
  private <T> @Nullable T askingAt(
      RedisURI uri, Function<RedisLink, @Nullable T> write, Predicate<@Nullable T> written) {
    ConfirmingNode node = connected(connect(uri), uri);
    try {
      T answer = write.apply(node.link().asking());
      if (written.test(answer)) {
        node.confirm();
      }
      return answer;
    } finally {
      node.close();
    }
  }

  private ConfirmingNode node(RedisURI uri) {
    String address = RedisUrl.address(uri);
    CompletableFuture<ConfirmingNode> known =
        open.compute(address, (a, now) -> now == null || ended(now) ? connect(uri) : now);
    return connected(known, uri);
  }

  private static boolean ended(CompletableFuture<ConfirmingNode> node) {
    return node.isCompletedExceptionally() || (node.isDone() && !node.join().isOpen());
  }

  private CompletableFuture<ConfirmingNode> connect(RedisURI uri) {
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, uri)
        .thenApply(connection -> node(connection, uri))
        .toCompletableFuture();
  }

  private ConfirmingNode node(StatefulRedisConnection<byte[], byte[]> connection, RedisURI uri) {
    return new ConfirmingNode(connection, "Redis at " + RedisUrl.address(uri), options);
  }

  private static ConfirmingNode connected(
      CompletableFuture<ConfirmingNode> connecting, RedisURI uri) {
    try {
      return connecting.join();
    } catch (CompletionException e) {
      throw new StoreException(
          "Redis at %s can't be reached: %s"
              .formatted(RedisUrl.address(uri), RedisAccess.reason(e)),
          e);
    }
  }
}
