package dev.semel.server.subscription;

import dev.semel.server.subscription.internal.rules.DecisionStep;
import dev.semel.server.subscription.internal.rules.FollowedStream;
import dev.semel.server.subscription.internal.rules.ProtocolCode;
import dev.semel.server.subscription.internal.rules.RandomSource;
import dev.semel.server.subscription.internal.rules.SigningKey;
import dev.semel.server.subscription.internal.rules.StreamGlob;
import dev.semel.server.subscription.internal.rules.Subscription;
import dev.semel.server.subscription.internal.rules.SubscriptionAck;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.SubscriptionReply;
import dev.semel.server.subscription.internal.rules.SubscriptionRules;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import dev.semel.server.subscription.internal.rules.SubscriptionViews;
import dev.semel.server.subscription.internal.rules.Wake;
import dev.semel.server.subscription.internal.rules.WakeClaim;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.server.subscription.internal.rules.WakePass;
import dev.semel.server.subscription.internal.rules.WakeTokens;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamHead;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules on a table, with a clock that is set, and streams that are only numbers. */
public final class World {
  public static final String BASE = "http://localhost:1";
  public static final SubscriptionLimits LIMITS = SubscriptionLimits.defaults();

  public final Map<StreamPath, StreamHead> streams = new HashMap<>();
  public final SubscriptionRules rules;
  public SubscriptionTable table = new SubscriptionTable();
  public long now = 1_767_225_600_000L;
  private long incarnations;
  private int wakes;

  public World() {
    this(LIMITS, 1);
  }

  /**
   * @param drawn place of each random number between nothing and its limit, from 0 to 1
   */
  public World(SubscriptionLimits limits, double drawn) {
    rules =
        SubscriptionRules.of(
            limits,
            new RandomSource() {
              @Override
              public String wakeId() {
                return "w_" + ++wakes;
              }

              @Override
              public long random(long bound) {
                return Math.round(drawn * (bound - 1));
              }
            });
    table.apply(new SubscriptionChange.Secret(WakeTokens.drawSecret()));
    table.apply(new SubscriptionChange.Key(SigningKey.draw(now)));
  }

  public static StreamPath path(String text) {
    return new StreamPath(text);
  }

  public static SubscriptionConfig webhook(String pattern) {
    return new SubscriptionConfig(
        Optional.of(StreamGlob.parse(pattern)),
        List.of(),
        new WakeDelivery.Webhook("https://worker.example/"),
        Duration.ofSeconds(10),
        Optional.empty());
  }

  public static SubscriptionConfig pull(String pattern) {
    return new SubscriptionConfig(
        Optional.of(StreamGlob.parse(pattern)),
        List.of(),
        new WakeDelivery.PullWake(path("wake")),
        Duration.ofSeconds(10),
        Optional.empty());
  }

  public static SubscriptionConfig named(String... paths) {
    return new SubscriptionConfig(
        Optional.empty(),
        List.of(paths).stream().map(World::path).toList(),
        new WakeDelivery.Webhook("https://worker.example/"),
        Duration.ofSeconds(10),
        Optional.empty());
  }

  public DecisionStep step() {
    return new DecisionStep(table, now);
  }

  public SubscriptionViews views() {
    return new SubscriptionViews(table, "/v1/stream/");
  }

  /** Creates the stream, or extends it. */
  public StreamHead append(String text, long bytes) {
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

  /** Appends, and notifies the subscriptions. */
  public DecisionStep appended(String text, long bytes) {
    append(text, bytes);
    return look(text);
  }

  public DecisionStep deleted(String text) {
    streams.remove(path(text));
    return look(text);
  }

  public DecisionStep look(String text) {
    DecisionStep step = step();
    StreamHead head = streams.get(path(text));
    if (head == null) {
      rules.membership().gone(step, path(text));
    } else {
      rules.membership().observe(step, head);
    }
    return step;
  }

  public SubscriptionReply put(String id, SubscriptionConfig config) {
    return put(step(), id, config);
  }

  public SubscriptionReply put(DecisionStep step, String id, SubscriptionConfig config) {
    Map<StreamPath, StreamHead> seen = new LinkedHashMap<>();
    streams.forEach(
        (path, head) -> {
          if (config.matches(path) || config.streams().contains(path)) {
            seen.put(path, head);
          }
        });
    return rules.membership().put(step, id, config, BASE, seen, views());
  }

  public Subscription sub(String id) {
    return table.find(id).orElseThrow();
  }

  public Wake wake(String id) {
    return sub(id).wake().orElseThrow();
  }

  public Offset acked(String id, String path) {
    return link(id, path).acked();
  }

  public FollowedStream link(String id, String path) {
    return Optional.ofNullable(sub(id).link(path(path))).orElseThrow();
  }

  public DecisionStep tick(String id) {
    DecisionStep step = step();
    rules.wakes().tick(step, sub(id));
    return step;
  }

  public void advance(Duration time) {
    now += time.toMillis();
  }

  /** The claim of the current wake's holder. */
  public WakeClaim hold(String id) {
    Wake wake = wake(id);
    return new WakeClaim(
        Optional.of(new WakePass(id, wake.id(), wake.generation())), wake.id(), wake.generation());
  }

  public SubscriptionReply claim(String id, String worker) {
    return rules.holding().claim(step(), id, worker, views());
  }

  public SubscriptionReply ack(String id, WakeClaim hold, boolean done, SubscriptionAck... acks) {
    boolean webhook = sub(id).config().delivery() instanceof WakeDelivery.Webhook;
    return rules.holding().ack(step(), id, hold, List.of(acks), done, webhook);
  }

  public static SubscriptionAck ack(String path, long offset) {
    return new SubscriptionAck(path(path), new Offset(offset));
  }

  public static ProtocolCode code(SubscriptionReply reply) {
    return ((SubscriptionReply.Refused) reply).code();
  }
}
