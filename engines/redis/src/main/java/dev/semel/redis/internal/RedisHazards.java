package dev.semel.redis.internal;

import dev.semel.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Warnings about a server's configuration that can lose a record. Each sentence contains a figure
 * that changes if the loss happens: the number of evicted keys, or the run id, which changes at
 * each start.
 */
public final class RedisHazards {
  private static final int SHOWN_OF_A_RUN = 8;

  private final String server;
  private final ServerInfo info;
  private final Map<String, String> settings;

  /**
   * Checks one server.
   *
   * @param settings its {@code appendfsync} and {@code save}, if readable; may be empty
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

  /** Hosted servers often hide these settings: then only INFO is checked. */
  private static Map<String, String> settings(RedisLink link) {
    try {
      return link.get(c -> c.configGet("appendfsync", "save"));
    } catch (StoreException e) {
      return Map.of();
    }
  }

  /**
   * The warnings as sentences.
   *
   * @param waits whether calls return only once a replica has the change
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

  /** The configuration in one sentence, good or bad. */
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
