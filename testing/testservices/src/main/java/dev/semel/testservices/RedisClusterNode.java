package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** One server of a {@link RedisClusterService}, with its id in the cluster. */
public final class RedisClusterNode {
  private final RedisService server;
  private final int busPort;
  private final String id;

  RedisClusterNode(RedisService server, int busPort) {
    this.server = server;
    this.busPort = busPort;
    this.id = ask("CLUSTER", "MYID");
  }

  public String id() {
    return id;
  }

  public int port() {
    return server.port();
  }

  int busPort() {
    return busPort;
  }

  /** Freeze the server directly; kill it only through the cluster. */
  public RedisService server() {
    return server;
  }

  /** Whether the node considers itself a primary. */
  public boolean primary() {
    return server.process().isAlive() && ask("INFO", "replication").contains("role:master");
  }

  /**
   * Runs a command, and returns the answer as text; for tests that inspect or disturb the server.
   */
  public String ask(String... command) {
    return text(
        answer(Arrays.stream(command).map(part -> part.getBytes(StandardCharsets.UTF_8)).toList()));
  }

  private static String text(Object answer) {
    return switch (answer) {
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      case List<?> list -> list.stream().map(RedisClusterNode::text).toList().toString();
      default -> answer.toString();
    };
  }

  private Object answer(List<byte[]> command) {
    try (RespProtocol connection = new RespProtocol(server.port())) {
      return Objects.requireNonNullElse(connection.ask(command), "");
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the Redis node on port %d: %s".formatted(server.port(), e.getMessage()), e);
    }
  }

  /** Moves all keys of a slot that is marked as migrating. */
  void migrateKeys(int slot, RedisClusterNode to) {
    List<byte[]> ask =
        List.of("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "100").stream()
            .map(RespProtocol::ascii)
            .toList();
    for (List<?> keys = (List<?>) answer(ask); !keys.isEmpty(); keys = (List<?>) answer(ask)) {
      List<byte[]> command = new ArrayList<>();
      for (String part :
          List.of(
              "MIGRATE", FreePorts.HOST, Integer.toString(to.port()), "", "0", "5000", "KEYS")) {
        command.add(RespProtocol.ascii(part));
      }
      keys.forEach(key -> command.add((byte[]) key));
      answer(command);
    }
  }

  @Override
  public String toString() {
    return FreePorts.HOST + ":" + port();
  }
}
