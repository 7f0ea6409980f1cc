package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.server.http.RouteTable;
import dev.semel.server.subscription.SubscriptionAccess;
import dev.semel.server.subscription.internal.rules.StreamPaths;
import dev.semel.stream.StreamPath;
import java.util.List;
import java.util.function.Function;

/** The meaning of an address under the reserved prefix. */
public sealed interface SubscriptionRoute {
  /** Longest id of a subscription, in characters. */
  int MAX_ID = 200;

  /** The signing keys. */
  record Keys() implements SubscriptionRoute {}

  record One(String id) implements SubscriptionRoute {}

  /** The streams that a subscription names one by one. */
  record Links(String id) implements SubscriptionRoute {}

  record OneLink(String id, StreamPath path) implements SubscriptionRoute {}

  /** An action of a worker. */
  record Act(String id, Action action) implements SubscriptionRoute {}

  /** Actions of workers. */
  public enum Action {
    CLAIM,
    ACK,
    RELEASE,
    CALLBACK
  }

  /** Each entry turns the names in an address into one of the routes above. */
  RouteTable<Function<List<String>, SubscriptionRoute>> TABLE = table();

  private static RouteTable<Function<List<String>, SubscriptionRoute>> table() {
    RouteTable<Function<List<String>, SubscriptionRoute>> table =
        new RouteTable<Function<List<String>, SubscriptionRoute>>()
            .add("GET, HEAD", "jwks.json", named -> new Keys())
            .add("DELETE, GET, HEAD, PUT", "subscriptions/{id}", named -> new One(id(named)))
            .add("POST", "subscriptions/{id}/streams", named -> new Links(id(named)))
            .add(
                "DELETE",
                "subscriptions/{id}/streams/{path...}",
                named -> new OneLink(id(named), StreamPaths.parse(named.get(1))));
    for (Action action : Action.values()) {
      table.add(
          "POST",
          "subscriptions/{id}/" + PrintableText.word(action),
          named -> new Act(id(named), action));
    }
    return table;
  }

  static String callback(String id) {
    return StreamPath.RESERVED
        + "/subscriptions/"
        + PercentEscapes.encode(id)
        + '/'
        + PrintableText.word(Action.CALLBACK);
  }

  /**
   * The access that a request needs.
   *
   * @param rest the path behind the reserved segment and its slash, still escaped
   */
  static SubscriptionAccess admission(String method, String rest) {
    if (TABLE.find(method, rest)
        instanceof RouteTable.Match.Found<Function<List<String>, SubscriptionRoute>> found) {
      switch (found.route().apply(found.named())) {
        case Keys keys -> {
          return SubscriptionAccess.ANYONE;
        }
        case Act act -> {
          return act.action() == Action.CLAIM
              ? SubscriptionAccess.READERS
              : SubscriptionAccess.WORKERS;
        }
        case One one -> {}
        case Links links -> {}
        case OneLink link -> {}
      }
    }
    return method.equals("GET") || method.equals("HEAD")
        ? SubscriptionAccess.READERS
        : SubscriptionAccess.OWNERS;
  }

  private static String id(List<String> named) {
    String id = named.get(0);
    if (id.isEmpty() || id.length() > MAX_ID || !PrintableText.isSafe(id)) {
      throw new InvalidInput(
          "the subscription's id %s is not valid: use 1 to %d printable characters"
              .formatted(PrintableText.quoted(id), MAX_ID));
    }
    return id;
  }
}
