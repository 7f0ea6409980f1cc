package dev.semel.redis.internal;

import dev.semel.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What about a server's set-up can lose a record. Each sentence names what would have changed if it
 * happened: the keys evicted so far, the run that began with the last start.
 */
public final class RedisHazards {
  private static final int SHOWN_OF_A_RUN = 8;

  private final String server;
  private final ServerInfo info;
  private final Map<String, String> settings;

  /**
   * Of one server.
   *
   * @param settings those of {@code appendfsync} and {@code save} that it tells; may be empty
   */
  RedisHazards(String server, ServerInfo info, Map<String, String> settings) {
    this.server = server;
    this.info = info;
    this.settings = settings;
  }

  public static RedisHazards of(RedisLink link) {
    return new RedisHazards(
        link.server(), ServerInfo.parse(link.get(c -> c.info())), settings(link));
  }

  /** Hosted servers often keep these to themselves: then only INFO is judged. */
  private static Map<String, String> settings(RedisLink link) {
    try {
      return link.get(c -> c.configGet("appendfsync", "save"));
    } catch (StoreException e) {
      return Map.of();
    }
  }

  /**
   * As sentences.
   *
   * @param waits calls are answered only once a replica has them
   */
  public List<String> sentences(boolean waits) {
    List<String> found = new ArrayList<>();
    eviction(found);
    persistence(found);
    if (!waits && !info.field("connected_slaves").matches("0|unknown")) {
      found.add(
          "%s has replicas that may lag: a failover can lose what it answered last; add wait=1 to the URL's options"
              .formatted(server));
    }
    return found;
  }

  /** The same things in one sentence, well or not. */
  public String setUp() {
    boolean appends = info.field("aof_enabled").equals("1");
    return "Redis %s, maxmemory-policy %s, %s"
        .formatted(
            info.field("redis_version"),
            info.field("maxmemory_policy"),
            appends
                ? "an append-only file (appendfsync %s)"
                    .formatted(settings.getOrDefault("appendfsync", "not told"))
                : "no append-only file");
  }

  private void eviction(List<String> found) {
    String policy = info.field("maxmemory_policy");
    if (!policy.equals("noeviction")) {
      found.add(
          "%s evicts keys when its memory is full (maxmemory-policy %s, %s evicted so far): a record can vanish and its work run twice; set maxmemory-policy to noeviction"
              .formatted(server, policy, info.field("evicted_keys")));
    }
  }

  private void persistence(List<String> found) {
    if (info.field("aof_enabled").equals("0")) {
      boolean saves = !settings.getOrDefault("save", "").isEmpty();
      found.add(
          saves
              ? "%s keeps snapshots but no append-only file: a crash or restart forgets what came after the last one (%s); set appendonly to yes"
                  .formatted(server, run())
              : "%s keeps nothing on disk: a restart forgets every record (%s); set appendonly to yes"
                  .formatted(server, run()));
    } else if (!settings.getOrDefault("appendfsync", "always").equals("always")) {
      found.add(
          "%s writes to the disk with appendfsync %s: a crash of the machine can lose the last second; set appendfsync to always"
              .formatted(server, settings.get("appendfsync")));
    }
  }

  private String run() {
    String id = info.field("run_id");
    return "its present run is " + id.substring(0, Math.min(SHOWN_OF_A_RUN, id.length()));
  }
}
