package dev.semel.proof;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The orders of a process in a proof, sent to its standard input: URLs may hold a password, which
 * others could read on a command line.
 *
 * @param words all orders, by name
 */
public record WorkerOrders(Map<String, String> words) {
  private static final String CLIENT = "client";
  private static final String HISTORY = "history";
  private static final String SEED = "seed";

  public WorkerOrders {
    words = Map.copyOf(words);
  }

  /**
   * The first orders of a process.
   *
   * @param client its name
   * @param history the file for its history
   */
  public static WorkerOrders of(String client, Path history, long seed) {
    return new WorkerOrders(
        Map.of(CLIENT, client, HISTORY, history.toString(), SEED, Long.toString(seed)));
  }

  /** Adds an order. */
  public WorkerOrders with(String name, String text) {
    Map<String, String> more = new TreeMap<>(words);
    more.put(name, text);
    return new WorkerOrders(more);
  }

  public WorkerOrders with(Map<String, String> others) {
    Map<String, String> more = new TreeMap<>(words);
    more.putAll(others);
    return new WorkerOrders(more);
  }

  /** The orders for a later life, with a different name, file and seed. */
  public WorkerOrders ofLife(int life) {
    String name = client() + (life == 1 ? "" : "." + life);
    return with(CLIENT, name)
        .with(HISTORY, history().resolveSibling(name + ".jsonl").toString())
        .with(SEED, Long.toString(seed() + life));
  }

  public String text(String name) {
    return Objects.requireNonNull(words.get(name), () -> "the orders lack " + name);
  }

  public int number(String name) {
    return Integer.parseInt(text(name));
  }

  /** The process's name, with the number of its life. */
  public String client() {
    return text(CLIENT);
  }

  public Path history() {
    return Path.of(text(HISTORY));
  }

  public long seed() {
    return Long.parseLong(text(SEED));
  }

  public String line() {
    JsonObjectBuilder line = Json.object();
    new TreeMap<>(words).forEach(line::with);
    return line.write();
  }

  public static WorkerOrders parse(String line) {
    Map<String, String> words = new TreeMap<>();
    ((JsonObject) Json.parse(line))
        .members()
        .forEach((name, value) -> words.put(name, ((JsonString) value).text()));
    return new WorkerOrders(words);
  }

  /** Omits the orders, which may hold passwords. */
  @Override
  public String toString() {
    return "Orders[" + client() + "]";
  }
}
