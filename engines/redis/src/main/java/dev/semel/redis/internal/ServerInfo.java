package dev.semel.redis.internal;

import dev.semel.StoreException;
import dev.semel.idempotency.spi.Store;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A server's INFO, and whether records are safe on the server. */
public record ServerInfo(Map<String, String> fields) {
  static final int MIN_MAJOR = 7;
  private static final Pattern VERSION = Pattern.compile("(\\d{1,9})(?:\\..*)?");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final String UNKNOWN = "unknown";

  public static ServerInfo parse(String info) {
    return new ServerInfo(
        Arrays.stream(info.split("\r?\n"))
            .map(line -> line.split(":", 2))
            .filter(parts -> parts.length == 2)
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1].strip(), (a, b) -> a)));
  }

  public String field(String name) {
    return fields.getOrDefault(name, UNKNOWN);
  }

  /** The server's memory, if it has a limit. */
  public Optional<Store.Room> room() {
    long limit = number("maxmemory");
    return limit > 0 ? Optional.of(new Store.Room(number("used_memory"), limit)) : Optional.empty();
  }

  private long number(String name) {
    String text = field(name);
    return NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
  }

  /** Refuses a server that could lose a record or lacks a command. */
  void check(String server, boolean cluster, boolean evictionAllowed) {
    Matcher version = VERSION.matcher(field("redis_version"));
    if (!version.matches() || Integer.parseInt(version.group(1)) < MIN_MAJOR) {
      throw new StoreException(
          "%s has the version %s, and a claim needs SET with NX and GET together: use Redis %d.0 or newer"
              .formatted(server, field("redis_version"), MIN_MAJOR));
    }
    if (field("redis_mode").equals("cluster") != cluster) {
      throw new StoreException(
          cluster
              ? "%s is a single Redis: use a redis:// URL".formatted(server)
              : "%s is a node of a cluster: use a redis-cluster:// URL".formatted(server));
    }
    String policy = field("maxmemory_policy");
    if (!evictionAllowed && !policy.equals("noeviction")) {
      throw new StoreException(
          "%s may evict keys when its memory is full (maxmemory-policy %s): a live claim could vanish and its work run twice. Set maxmemory-policy to noeviction, or add eviction=allow to the URL's options to take that risk"
              .formatted(server, policy));
    }
  }

  /** Refuses a cluster with unserved slots, where some keys could not be claimed. */
  void checkState(String server) {
    if (!field("cluster_state").equals("ok")) {
      throw new StoreException(
          "%s says that the cluster is not well (cluster_state %s, %s of 16384 slots served): redis-cli --cluster check shows what is missing"
              .formatted(server, field("cluster_state"), field("cluster_slots_ok")));
    }
  }
}
