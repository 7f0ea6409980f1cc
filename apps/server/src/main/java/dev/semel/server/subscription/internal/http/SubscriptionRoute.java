package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.server.subscription.SubscriptionAccess;
import dev.semel.server.subscription.internal.rules.StreamPaths;
import dev.semel.stream.StreamPath;
import java.util.Set;

/** What an address under the reserved prefix stands for. */
public sealed interface SubscriptionRoute {
  /** Longest id of a subscription, in characters. */
  int MAX_ID = 200;

  /** The methods it answers to. */
  Set<String> methods();

  /** Who may come this way. */
  default SubscriptionAccess admission(String method) {
    if (this instanceof Keys) {
      return SubscriptionAccess.ANYONE;
    }
    if (this instanceof Act a) {
      return a.action() == Action.CLAIM ? SubscriptionAccess.READERS : SubscriptionAccess.WORKERS;
    }
    return method.equals("GET") || method.equals("HEAD")
        ? SubscriptionAccess.READERS
        : SubscriptionAccess.OWNERS;
  }

  /** The signing keys. */
  record Keys() implements SubscriptionRoute {
    @Override
    public Set<String> methods() {
      return Set.of("GET", "HEAD");
    }
  }

  record One(String id) implements SubscriptionRoute {
    @Override
    public Set<String> methods() {
      return Set.of("PUT", "GET", "HEAD", "DELETE");
    }
  }

  /** The streams of a subscription that are named one by one. */
  record Links(String id) implements SubscriptionRoute {
    @Override
    public Set<String> methods() {
      return Set.of("POST");
    }
  }

  record OneLink(String id, StreamPath path) implements SubscriptionRoute {
    @Override
    public Set<String> methods() {
      return Set.of("DELETE");
    }
  }

  /** What a worker does. */
  record Act(String id, Action action) implements SubscriptionRoute {
    @Override
    public Set<String> methods() {
      return Set.of("POST");
    }
  }

  record Nowhere() implements SubscriptionRoute {
    @Override
    public Set<String> methods() {
      return Set.of();
    }
  }

  /** What a worker can do. */
  public enum Action {
    CLAIM,
    ACK,
    RELEASE,
    CALLBACK
  }

  static String callback(String id) {
    return StreamPath.RESERVED
        + "/subscriptions/"
        + PercentEscapes.encode(id)
        + '/'
        + PrintableText.word(Action.CALLBACK);
  }

  /**
   * Finds it.
   *
   * @param rest what stands behind the reserved segment and its slash, still escaped
   */
  static SubscriptionRoute parse(String rest) {
    String[] parts = rest.split("/", 4);
    if (rest.equals("jwks.json")) {
      return new Keys();
    }
    if (parts.length < 2 || !parts[0].equals("subscriptions")) {
      return new Nowhere();
    }
    String id = id(PercentEscapes.decode(parts[1]));
    if (parts.length == 2) {
      return new One(id);
    }
    if (parts[2].equals("streams")) {
      return parts.length == 3
          ? new Links(id)
          : new OneLink(id, StreamPaths.parse(PercentEscapes.decode(parts[3])));
    }
    return parts.length == 3 ? act(id, parts[2]) : new Nowhere();
  }

  private static SubscriptionRoute act(String id, String word) {
    for (Action action : Action.values()) {
      if (PrintableText.word(action).equals(word)) {
        return new Act(id, action);
      }
    }
    return new Nowhere();
  }

  private static String id(String id) {
    if (id.isEmpty() || id.length() > MAX_ID || !PrintableText.isSafe(id)) {
      throw new InvalidInput(
          "the subscription's id %s is not valid: use 1 to %d printable characters"
              .formatted(PrintableText.quoted(id), MAX_ID));
    }
    return id;
  }
}
