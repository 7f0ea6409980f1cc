package dev.semel.benchmarks.messages;

import dev.semel.benchmarks.Findings;
import dev.semel.internal.Ids;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.testservices.RedisService;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The race over Redis Streams. The bare client adds, reads and acknowledges without scripts, ids or
 * leases.
 */
public final class RacedRedis implements RacedBroker {
  private static final int PARTITIONS = 8;
  private static final String GROUP = "bare";

  private final RedisService redis;
  private final Transport transport;
  private final RedisClient client;
  private final StatefulRedisConnection<String, byte[]> connection;

  private RacedRedis(RedisService redis) {
    this.redis = redis;
    this.transport =
        RedisStreamsTransport.connect(
            RedisStreamsSettings.of(redis.url()).withPartitions(PARTITIONS));
    this.client = RedisClient.create(redis.url());
    this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
  }

  /** Prints the figures. */
  public static void run(Findings out) throws Exception {
    RedisService redis = RedisService.start();
    try (RacedRedis raced = new RacedRedis(redis)) {
      TransportRace.run(out, raced, 100_000, 20_000);
    }
  }

  @Override
  public String name() {
    return "Redis Streams";
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String freshDestination() {
    return "raced." + Ids.uuid7();
  }

  /** The stream's name as in our transport. */
  private static String stream(String destination, int partition) {
    return "semel:m:{" + destination + "/" + partition + "}";
  }

  @Override
  public void publishBare(List<Message> messages, int batch) throws Exception {
    RedisAsyncCommands<String, byte[]> commands = connection.async();
    connection.setAutoFlushCommands(false);
    List<RedisFuture<String>> answers = new ArrayList<>();
    for (Message each : messages) {
      int partition = Math.floorMod(each.orderingKey().hashCode(), PARTITIONS);
      answers.add(commands.xadd(stream(each.destination(), partition), fields(each)));
      if (answers.size() == batch) {
        connection.flushCommands();
        for (RedisFuture<String> answer : answers) {
          answer.get();
        }
        answers.clear();
      }
    }
    connection.flushCommands();
    for (RedisFuture<String> answer : answers) {
      answer.get();
    }
    connection.setAutoFlushCommands(true);
  }

  private static Map<String, byte[]> fields(Message message) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    fields.put("id", bytes(message.id()));
    fields.put("key", bytes(message.orderingKey()));
    fields.put("type", bytes(message.type()));
    fields.put("payload", message.payload());
    return fields;
  }

  @Override
  public void consumeBare(String destination, int count, int batch, Taker taker) throws Exception {
    RedisAsyncCommands<String, byte[]> commands = connection.async();
    List<StreamOffset<String>> offsets = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      String stream = stream(destination, partition);
      commands
          .xgroupCreate(StreamOffset.from(stream, "0"), GROUP, XGroupCreateArgs.Builder.mkstream())
          .get();
      offsets.add(StreamOffset.lastConsumed(stream));
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    StreamOffset<String>[] all = offsets.toArray(new StreamOffset[0]);
    Consumer<String> reader = Consumer.from(GROUP, "reader");
    XReadArgs some = XReadArgs.Builder.count((batch + PARTITIONS - 1) / PARTITIONS);
    int taken = 0;
    while (taken < count) {
      List<StreamMessage<String, byte[]>> got = commands.xreadgroup(reader, some, all).get();
      taker.take(got.stream().map(RacedRedis::id).toList());
      acknowledge(commands, got);
      taken += got.size();
    }
  }

  private static void acknowledge(
      RedisAsyncCommands<String, byte[]> commands, List<StreamMessage<String, byte[]>> got)
      throws Exception {
    Map<String, List<String>> partitions = new LinkedHashMap<>();
    for (StreamMessage<String, byte[]> each : got) {
      partitions.computeIfAbsent(each.getStream(), stream -> new ArrayList<>()).add(each.getId());
    }
    List<RedisFuture<Long>> answers = new ArrayList<>();
    partitions.forEach(
        (stream, ids) -> answers.add(commands.xack(stream, GROUP, ids.toArray(String[]::new))));
    for (RedisFuture<Long> answer : answers) {
      answer.get();
    }
  }

  private static String id(StreamMessage<String, byte[]> entry) {
    byte[] id = entry.getBody().get("id");
    if (id == null) {
      throw new IllegalStateException("an entry without an id");
    }
    return new String(id, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    transport.close();
    client.shutdown();
    redis.close();
  }
}
