package dev.semel.testservices;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A private Redis Cluster: three primaries with a replica each, all slots served. One thread at a
 * time may kill and restart nodes and move slots; {@link #close()} deletes everything.
 */
public final class RedisClusterService implements AutoCloseable {
  public static final int SLOTS = 16_384;
  public static final Duration NODE_TIMEOUT = Duration.ofSeconds(2);
  private static final int PRIMARIES = 3;
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);

  private final List<RedisClusterNode> nodes = new ArrayList<>();

  private RedisClusterService() {}

  /**
   * Starts six nodes, joins them, and waits until every replica has its primary's data.
   *
   * @param arguments for every node, as on Redis's command line
   */
  public static RedisClusterService start(String... arguments) {
    RedisClusterService cluster = new RedisClusterService();
    try {
      for (int i = 0; i < 2 * PRIMARIES; i++) {
        cluster.nodes.add(node(arguments));
      }
      cluster.join();
      cluster.awaitReady();
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** Chooses the bus port, because the default, port + 10000, is often no valid port. */
  private static RedisClusterNode node(String... extra) {
    for (int attempt = 1; ; attempt++) {
      int busPort = FreePorts.free();
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("--cluster-enabled", "yes", "--cluster-port", "" + busPort));
      arguments.addAll(List.of("--cluster-node-timeout", "" + NODE_TIMEOUT.toMillis()));
      arguments.addAll(List.of("--cluster-allow-replica-migration", "no"));
      arguments.addAll(List.of("--repl-diskless-sync-delay", "0"));
      arguments.addAll(List.of(extra));
      try {
        return new RedisClusterNode(RedisService.start(arguments.toArray(String[]::new)), busPort);
      } catch (IllegalStateException e) {
        if (attempt == FreePorts.MAX_START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void join() {
    RedisClusterNode first = nodes.get(0);
    int share = (SLOTS + PRIMARIES - 1) / PRIMARIES;
    for (int i = 0; i < nodes.size(); i++) {
      RedisClusterNode node = nodes.get(i);
      node.ask("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1)); // otherwise epochs collide
      if (i < PRIMARIES) {
        int last = Math.min(SLOTS, (i + 1) * share) - 1;
        node.ask("CLUSTER", "ADDSLOTSRANGE", "" + i * share, "" + last);
      }
      if (i > 0) {
        first.ask("CLUSTER", "MEET", FreePorts.HOST, "" + node.port(), "" + node.busPort());
      }
    }
    await("the nodes know each other", () -> nodes.stream().allMatch(this::knowsAll));
    for (int i = PRIMARIES; i < nodes.size(); i++) {
      nodes.get(i).ask("CLUSTER", "REPLICATE", nodes.get(i - PRIMARIES).id());
    }
  }

  private boolean knowsAll(RedisClusterNode node) {
    String known = node.ask("CLUSTER", "NODES");
    return !known.contains("handshake")
        && nodes.stream().allMatch(other -> known.contains(other.id()));
  }

  /**
   * Waits until every slot is served, every living node agrees, and every replica is up to date.
   */
  public void awaitReady() {
    await("every node says that all is well and every replica follows", this::ready);
  }

  private boolean ready() {
    return primaries().size() == PRIMARIES
        && living().stream()
            .allMatch(
                node ->
                    node.ask("CLUSTER", "INFO").contains("cluster_state:ok")
                        && (node.primary() || follows(node)));
  }

  /** Whether the replica has all data that its primary had at the call. */
  private boolean follows(RedisClusterNode replica) {
    String state = replica.ask("INFO", "replication");
    return state.contains("master_link_status:up")
        && living().stream()
            .filter(node -> state.contains("master_port:" + node.port()))
            .allMatch(
                primary ->
                    number(primary.ask("INFO", "replication"), "master_repl_offset")
                        <= number(replica.ask("INFO", "replication"), "slave_repl_offset"));
  }

  private static long number(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElse(-1);
  }

  private static void await(String what, BooleanSupplier condition) {
    boolean holds =
        ConditionWait.holds(
            READY_LIMIT,
            () -> {
              try {
                return condition.getAsBoolean();
              } catch (UncheckedIOException e) {
                return false; // a node that is starting or stopping
              }
            });
    if (!holds) {
      throw new IllegalStateException("not within " + READY_LIMIT.toSeconds() + " s: " + what);
    }
  }

  /** The store URL; it names two nodes, as recommended. */
  public String url() {
    return living().stream()
        .limit(2)
        .map(RedisClusterNode::toString)
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  public List<RedisClusterNode> living() {
    return nodes.stream().filter(node -> node.server().process().isAlive()).toList();
  }

  public List<RedisClusterNode> primaries() {
    return living().stream().filter(RedisClusterNode::primary).toList();
  }

  /** The primary that claims the slot. */
  public RedisClusterNode holderOf(int slot) {
    return primaries().stream()
        .filter(node -> holds(node, slot))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no node serves slot " + slot));
  }

  /** The living replicas of a primary, by their own view. */
  public List<RedisClusterNode> replicasOf(RedisClusterNode primary) {
    return living().stream()
        .filter(node -> node.ask("INFO", "replication").contains("master_port:" + primary.port()))
        .toList();
  }

  /** Kills a node by SIGKILL like a crash, and waits until it is gone. */
  public void kill(RedisClusterNode node) {
    node.server().kill();
  }

  /** Starts a killed node again; it rejoins the cluster. */
  public void restart(RedisClusterNode node) {
    node.server().restart();
  }

  /** Waits until another node than {@code lost} serves the slot and all living nodes know that. */
  public RedisClusterNode awaitFailover(int slot, RedisClusterNode lost) {
    await(
        "a replica takes slot %d over".formatted(slot),
        () -> primaries().stream().anyMatch(n -> n != lost && holds(n, slot)) && ready());
    return holderOf(slot);
  }

  private static boolean holds(RedisClusterNode node, int slot) {
    return SlotRanges.ofNode(node.ask("CLUSTER", "NODES")).contains(slot);
  }

  /** Moves slots one by one while the cluster serves them, like Redis's own tool. */
  public void moveSlots(int first, int last, RedisClusterNode to) {
    for (int slot = first; slot <= last; slot++) {
      RedisClusterNode from = holderOf(slot);
      if (from != to) {
        beginMove(slot, from, to);
        from.migrateKeys(slot, to);
        endMove(slot, from, to);
      }
    }
  }

  /**
   * Starts a slot's move: from now on the source redirects requests for absent keys to the target
   * (ASK).
   */
  public void beginMove(int slot, RedisClusterNode from, RedisClusterNode to) {
    to.ask("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", from.id());
    from.ask("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", to.id());
  }

  /**
   * Finishes a slot's move. Informs the target first: otherwise no node would serve the slot
   * meanwhile.
   */
  public void endMove(int slot, RedisClusterNode from, RedisClusterNode to) {
    from.migrateKeys(slot, to);
    to.ask("CLUSTER", "SETSLOT", "" + slot, "NODE", to.id());
    from.ask("CLUSTER", "SETSLOT", "" + slot, "NODE", to.id());
    for (RedisClusterNode other : primaries()) {
      if (other != from && other != to) {
        other.ask("CLUSTER", "SETSLOT", "" + slot, "NODE", to.id());
      }
    }
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.server().close());
  }
}
