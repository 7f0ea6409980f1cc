package dev.semel.server.subscription;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamConfig;
import dev.semel.stream.StreamHead;
import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules on a table, with streams beside it that are only numbers, and a clock that is set. */
final class World {
  static final String BASE = "http://localhost:1";
  static final SubscriptionLimits LIMITS = SubscriptionLimits.defaults();

  final Map<StreamPath, StreamHead> streams = new HashMap<>();
  final SubscriptionRules rules;
  SubscriptionTable table = new SubscriptionTable();
  long now = 1_767_225_600_000L;
  private long incarnations;
  private int wakes;

  World() {
    this(LIMITS, 0);
  }

  World(SubscriptionLimits limits, double jitter) {
    rules =
        SubscriptionRules.of(
            limits,
            new RandomSource() {
              @Override
              public String wakeId() {
                return "w_" + ++wakes;
              }

              @Override
              public double jitter() {
                return jitter;
              }
            });
    table.apply(new SubscriptionChange.Secret(WakeTokens.drawSecret()));
    table.apply(new SubscriptionChange.Key(SigningKey.draw(now)));
  }

  static StreamPath path(String text) {
    return new StreamPath(text);
  }

  static SubscriptionConfig webhook(String pattern) {
    return new SubscriptionConfig(
        Optional.of(StreamGlob.parse(pattern)),
        List.of(),
        new WakeDelivery.Webhook("https://worker.example/"),
        Duration.ofSeconds(10),
        Optional.empty());
  }

  static SubscriptionConfig pull(String pattern) {
    return new SubscriptionConfig(
        Optional.of(StreamGlob.parse(pattern)),
        List.of(),
        new WakeDelivery.PullWake(path("wake")),
        Duration.ofSeconds(10),
        Optional.empty());
  }

  static SubscriptionConfig named(String... paths) {
    return new SubscriptionConfig(
        Optional.empty(),
        List.of(paths).stream().map(World::path).toList(),
        new WakeDelivery.Webhook("https://worker.example/"),
        Duration.ofSeconds(10),
        Optional.empty());
  }

  DecisionStep step() {
    return new DecisionStep(table, now);
  }

  SubscriptionViews views() {
    return new SubscriptionViews(table, "/v1/stream/");
  }

  /** Creates the stream, or makes it longer. */
  StreamHead append(String text, long bytes) {
    StreamPath path = path(text);
    StreamHead old = streams.get(path);
    StreamHead head =
        new StreamHead(
            path,
            StreamConfig.of(ContentType.JSON),
            old == null ? ++incarnations : old.incarnation(),
            Offset.ZERO,
            new Offset((old == null ? 0 : old.tail().position()) + bytes),
            false);
    streams.put(path, head);
    return head;
  }

  /** Appends, and the subscriptions get to know. */
  DecisionStep appended(String text, long bytes) {
    append(text, bytes);
    return look(text);
  }

  DecisionStep deleted(String text) {
    streams.remove(path(text));
    return look(text);
  }

  DecisionStep look(String text) {
    DecisionStep step = step();
    StreamHead head = streams.get(path(text));
    if (head == null) {
      rules.membership().gone(step, path(text));
    } else {
      rules.membership().observe(step, head);
    }
    return step;
  }

  SubscriptionReply put(String id, SubscriptionConfig config) {
    return put(step(), id, config);
  }

  SubscriptionReply put(DecisionStep step, String id, SubscriptionConfig config) {
    Map<StreamPath, StreamHead> seen = new LinkedHashMap<>();
    streams.forEach(
        (path, head) -> {
          if (config.matches(path) || config.streams().contains(path)) {
            seen.put(path, head);
          }
        });
    return rules.membership().put(step, id, config, BASE, seen, views());
  }

  Subscription sub(String id) {
    return table.find(id).orElseThrow();
  }

  Wake wake(String id) {
    return sub(id).wake().orElseThrow();
  }

  Offset acked(String id, String path) {
    return link(id, path).acked();
  }

  FollowedStream link(String id, String path) {
    return Optional.ofNullable(sub(id).link(path(path))).orElseThrow();
  }

  DecisionStep tick(String id) {
    DecisionStep step = step();
    rules.wakes().tick(step, sub(id));
    return step;
  }

  void advance(Duration time) {
    now += time.toMillis();
  }

  /** What the holder of the current wake would show. */
  WakeClaim hold(String id) {
    Wake wake = wake(id);
    return new WakeClaim(
        Optional.of(new WakePass(id, wake.id(), wake.generation())), wake.id(), wake.generation());
  }

  SubscriptionReply claim(String id, String worker) {
    return rules.holding().claim(step(), id, worker, views());
  }

  SubscriptionReply ack(String id, WakeClaim hold, boolean done, SubscriptionAck... acks) {
    boolean webhook = sub(id).config().delivery() instanceof WakeDelivery.Webhook;
    return rules.holding().ack(step(), id, hold, List.of(acks), done, webhook);
  }

  static SubscriptionAck ack(String path, long offset) {
    return new SubscriptionAck(path(path), new Offset(offset));
  }

  static ProtocolCode code(SubscriptionReply reply) {
    return ((SubscriptionReply.Refused) reply).code();
  }
}
