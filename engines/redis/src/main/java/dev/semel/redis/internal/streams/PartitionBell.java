package dev.semel.redis.internal.streams;

import dev.semel.StoreException;
import dev.semel.redis.internal.RedisLink;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/**
 * Notifies readers when an empty partition gets a message. It saves polls; a reader that misses it
 * polls a little later. All readers share one connection, and none blocks it.
 */
public final class PartitionBell {
  private final RedisLink link;
  private final StatefulRedisPubSubConnection<byte[], byte[]> connection;
  private final Map<String, Set<IntConsumer>> readers = new ConcurrentHashMap<>();

  public PartitionBell(RedisLink link, StatefulRedisPubSubConnection<byte[], byte[]> connection) {
    this.link = link;
    this.connection = connection;
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(byte[] channel, byte[] message) {
            ring(text(channel), text(message));
          }
        });
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void ring(String channel, String partition) {
    if (partition.matches("\\d{1,9}")) {
      int number = Integer.parseInt(partition);
      readers.getOrDefault(channel, Set.of()).forEach(reader -> reader.accept(number));
    }
  }

  void add(String destination, IntConsumer reader) {
    byte[] channel = StreamPartition.channel(destination);
    readers.computeIfAbsent(text(channel), name -> ConcurrentHashMap.newKeySet()).add(reader);
    try {
      link.await(connection.async().subscribe(channel));
    } catch (StoreException e) {
      return; // this user may not be allowed to subscribe
    }
  }

  /** Keeps the channel, because another reader may subscribe at the same moment. */
  void remove(String destination, IntConsumer reader) {
    readers.getOrDefault(text(StreamPartition.channel(destination)), Set.of()).remove(reader);
  }
}
