package dev.semel.redis.internal.jobs;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.redis.internal.RedisLink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A part of a queue. The names of everything in it begin with {@code semel:j:{queue:number}}, so
 * that they share a slot, and shards spread over a cluster.
 */
public record JobShard(Operation queue, int number) {
  private static final String PREFIX = "semel:j:";

  /** The shard of a key. This must never change: a key must not be in two shards. */
  public static JobShard of(Key key, int shards) {
    int hash = (31 * key.tenant().name().hashCode() + key.id().hashCode()) * 0x9E3779B9;
    return new JobShard(key.operation(), (hash >>> 16) % shards);
  }

  public static List<JobShard> all(Operation queue, int shards) {
    return IntStream.range(0, shards).mapToObj(number -> new JobShard(queue, number)).toList();
  }

  /** The job's member name within its queue. */
  public static byte[] member(Key key) {
    return (key.tenant().name() + '/' + key.id()).getBytes(StandardCharsets.UTF_8);
  }

  public Key key(byte[] member) {
    String text = new String(member, StandardCharsets.UTF_8);
    int slash = text.indexOf('/');
    return new Key(new Tenant(text.substring(0, slash)), queue, text.substring(slash + 1));
  }

  /** The one key of every script; it has no value. */
  public byte[] base() {
    return RedisLink.ascii(name());
  }

  public byte[] index(JobIndex index) {
    return RedisLink.ascii(name() + index.suffix());
  }

  private String name() {
    return PREFIX + '{' + queue.name() + ':' + number + '}';
  }
}
