package dev.semel.tck.proof;

import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.nio.file.Path;

/**
 * What a worker process is told on its standard input: the store's URL may hold a password, which
 * others could read on a command line.
 *
 * @param perSecond how many steps it takes at most
 */
record WorkerOrders(
    String url,
    Path history,
    String client,
    String run,
    int keysPerSecond,
    int perSecond,
    long seed) {

  String line() {
    return Json.object()
        .with("url", url)
        .with("history", history.toString())
        .with("client", client)
        .with("run", run)
        .with("keys_per_second", Integer.toString(keysPerSecond))
        .with("per_second", Integer.toString(perSecond))
        .with("seed", Long.toString(seed))
        .write();
  }

  static WorkerOrders parse(String line) {
    JsonObject orders = (JsonObject) Json.parse(line);
    return new WorkerOrders(
        text(orders, "url"),
        Path.of(text(orders, "history")),
        text(orders, "client"),
        text(orders, "run"),
        Integer.parseInt(text(orders, "keys_per_second")),
        Integer.parseInt(text(orders, "per_second")),
        Long.parseLong(text(orders, "seed")));
  }

  private static String text(JsonObject orders, String name) {
    return ((JsonString) orders.get(name).orElseThrow()).text();
  }

  /** Never the URL. */
  @Override
  public String toString() {
    return "WorkerOrders[" + client + "]";
  }
}
