package dev.semel.server.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.subscription.internal.rules.DecisionStep;
import dev.semel.server.subscription.internal.rules.FollowedStream;
import dev.semel.server.subscription.internal.rules.Subscription;
import dev.semel.server.subscription.internal.rules.SubscriptionAck;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.SubscriptionReply;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import dev.semel.server.subscription.internal.rules.Wake;
import dev.semel.server.subscription.internal.rules.WakeCall;
import dev.semel.server.subscription.internal.rules.WakeClaim;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.server.subscription.internal.rules.WakeSchedule;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One random run of a server: it decides at once and writes later. The results appear only after
 * the write, and a crash forgets what was not written.
 */
public final class RandomRun {
  private static final String[] PATHS = {"a/1", "a/2", "a/3", "b"};
  private static final String[] IDS = {"s", "t", "u"};

  /** A decision that is not written yet. */
  private record Decided(List<SubscriptionChange> changes, List<WakeCall> calls, Runnable heard) {}

  /** A caller that was notified of a wake, with these streams as they were then. */
  private record Holder(
      String id, WakeClaim hold, boolean webhook, Map<StreamPath, StreamHead> told) {}

  private record Key(String id, StreamPath path, long incarnation) {}

  private final World world = new World();
  private final SplittableRandom random;
  private final List<SubscriptionChange> written = new ArrayList<>();
  private final List<Decided> unwritten = new ArrayList<>();
  private final Set<StreamPath> hints = new LinkedHashSet<>();
  private final List<WakeCall> calls = new ArrayList<>();

  /** Events on the wake stream: workers find them, however late. */
  private final Set<WakeCall> events = new LinkedHashSet<>();

  private final List<Holder> holders = new ArrayList<>();
  private final Map<String, Long> lastTold = new HashMap<>();
  private final Map<String, String> wakeOf = new HashMap<>();
  private final Map<String, String> claimOf = new HashMap<>();
  private final Map<Key, Long> allowed = new HashMap<>();
  private final List<String> story = new ArrayList<>();
  private int crashes;
  private int told;

  public RandomRun(long seed) {
    this.random = new SplittableRandom(seed);
    written.addAll(world.table.whole());
  }

  public String story() {
    return String.join("\n", story.subList(Math.max(0, story.size() - 60), story.size()));
  }

  public int told() {
    return told;
  }

  public int crashes() {
    return crashes;
  }

  private String one(String[] of) {
    return of[random.nextInt(of.length)];
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  public void step() {
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> append(one(PATHS));
      case 4 -> delete(one(PATHS));
      case 5, 6, 7 -> look();
      case 8, 9 -> put(one(IDS));
      case 10 -> member(one(IDS), one(PATHS));
      case 11, 12, 13 -> write(1 + random.nextInt(4));
      case 14, 15 -> answer();
      case 16, 17 -> claim(one(IDS));
      case 18, 19, 20 -> speak();
      case 21, 22 -> time();
      default -> rare();
    }
    check();
  }

  private void rare() {
    if (oneIn(3)) {
      crash();
    } else if (oneIn(4)) {
      say("remove");
      String id = one(IDS);
      DecisionStep step = world.step();
      world.rules.membership().delete(step, id);
      decided(step, () -> {});
    }
  }

  private void say(String words) {
    story.add(words);
  }

  private void decided(DecisionStep step, Runnable heard) {
    if (!step.changes().isEmpty()) {
      say("  " + step.changes());
    }
    unwritten.add(new Decided(List.copyOf(step.changes()), List.copyOf(step.calls()), heard));
  }

  private void append(String path) {
    StreamHead head = world.append(path, random.nextInt(3) * 10L);
    say("append " + path + " " + head.incarnation() + " to " + head.tail().position());
    hints.add(head.path());
  }

  private void delete(String path) {
    say("delete " + path);
    world.streams.remove(World.path(path));
    hints.add(World.path(path));
  }

  private void look() {
    if (!hints.isEmpty()) {
      List<StreamPath> paths = List.copyOf(hints);
      look(paths.get(random.nextInt(paths.size())));
    }
  }

  private void look(StreamPath path) {
    say("look " + path);
    hints.remove(path);
    decided(world.look(path.text()), () -> {});
  }

  private void put(String id) {
    SubscriptionConfig config =
        switch (random.nextInt(3)) {
          case 0 -> World.webhook("a/*");
          case 1 -> World.pull("**");
          default -> World.named("a/1", "b");
        };
    DecisionStep step = world.step();
    SubscriptionReply reply = world.put(step, id, config);
    say("put " + id + " " + config.delivery() + " " + reply.getClass().getSimpleName());
    if (!step.changes().isEmpty()) {
      begin(id);
    }
    decided(step, () -> {});
  }

  /** Where each existing stream begins when a subscription does. */
  private void begin(String id) {
    world
        .sub(id)
        .links()
        .forEach(
            (path, link) ->
                allowed.merge(
                    new Key(id, path, link.incarnation()), link.acked().position(), Math::max));
  }

  private void member(String id, String path) {
    DecisionStep step = world.step();
    StreamPath stream = World.path(path);
    if (oneIn(2)) {
      say("add " + id + " " + path);
      look(stream);
      world.rules.membership().add(step, id, List.of(stream), Map.copyOf(world.streams));
      world.table.find(id).ifPresent(s -> begin(id));
    } else {
      say("remove " + id + " " + path);
      world.rules.membership().remove(step, id, stream);
    }
    decided(step, () -> {});
  }

  private void write(int most) {
    for (int i = 0; i < most && !unwritten.isEmpty(); i++) {
      Decided next = unwritten.removeFirst();
      written.addAll(next.changes());
      next.heard().run();
      calls.addAll(next.calls());
    }
  }

  /** Makes a call, whose answer may be lost. */
  private void answer() {
    if (calls.isEmpty()) {
      return;
    }
    WakeCall call = calls.remove(random.nextInt(calls.size()));
    Subscription s = world.table.get(call.id());
    if (s == null || !s.inFlight(call.generation())) {
      return;
    }
    DecisionStep step = world.step();
    say("call " + call);
    if (s.config().delivery() instanceof WakeDelivery.PullWake) {
      if (oneIn(4)) {
        world.rules.wakes().failed(step, call);
      } else {
        announced(step, s, call);
      }
      decided(step, () -> {});
      return;
    }
    world.rules.wakes().started(step, s);
    Holder holder = tell(s, s.wake().orElseThrow().snapshot().keySet());
    switch (random.nextInt(4)) {
      case 0 -> world.rules.wakes().failed(step, call);
      case 1 -> {
        holders.add(holder);
        world.rules.wakes().answered(step, call, false);
      }
      case 2 -> {
        s.wake()
            .orElseThrow()
            .snapshot()
            .forEach((path, offset) -> allow(holder, path, offset.position()));
        world.rules.wakes().answered(step, call, true);
      }
      default -> holders.add(holder); // received, but the answer is lost
    }
    decided(step, () -> {});
  }

  private void announced(DecisionStep step, Subscription s, WakeCall call) {
    tellGeneration(s.id(), s.wake().orElseThrow());
    events.add(call);
    world.rules.wakes().announced(step, call);
  }

  private Holder tell(Subscription s, Set<StreamPath> paths) {
    tellGeneration(s.id(), s.wake().orElseThrow());
    Map<StreamPath, StreamHead> toldOf = new HashMap<>();
    for (StreamPath path : paths) {
      FollowedStream link = s.link(path);
      if (link != null && !s.untold(path) && link.incarnation() != 0) {
        toldOf.put(
            path,
            new StreamHead(
                path,
                StreamConfig.of(ContentType.JSON),
                link.incarnation(),
                Offset.ZERO,
                link.tail(),
                false));
      }
    }
    boolean webhook = s.config().delivery() instanceof WakeDelivery.Webhook;
    return new Holder(s.id(), world.hold(s.id()), webhook, toldOf);
  }

  /** Announced generations only grow, and each is one wake. */
  private void tellGeneration(String id, Wake wake) {
    told++;
    String key = id + "/" + wake.generation();
    assertThat(wakeOf.putIfAbsent(key, wake.id())).as(key).isIn(null, wake.id());
    long last = lastTold.getOrDefault(id, 0L);
    assertThat(wake.generation()).as("generation of " + id).isGreaterThanOrEqualTo(last);
    lastTold.put(id, wake.generation());
  }

  private void claim(String id) {
    DecisionStep step = world.step();
    String worker = "worker-" + random.nextInt(1000);
    SubscriptionReply reply = world.rules.holding().claim(step, id, worker, world.views());
    say("claim " + id + " " + worker + " " + reply.getClass().getSimpleName());
    if (!(reply instanceof SubscriptionReply.Granted)) {
      decided(step, () -> readOn(id));
      return;
    }
    Subscription s = world.sub(id);
    Wake wake = s.wake().orElseThrow();
    Holder holder = new Holder(id, world.hold(id), false, Map.copyOf(current(s)));
    decided(
        step,
        () -> {
          say("granted " + id + " " + wake.generation() + " " + worker);
          String key = id + "/" + wake.generation();
          assertThat(claimOf.put(key, worker)).as("holders of " + key).isNull();
          told++;
          readOn(id);
          lastTold.merge(id, wake.generation(), Math::max);
          holders.add(holder);
        });
  }

  /** A worker that got an answer to its claim does not claim for the same event again. */
  private void readOn(String id) {
    events.removeIf(event -> event.id().equals(id));
  }

  private static Map<StreamPath, StreamHead> current(Subscription s) {
    Map<StreamPath, StreamHead> heads = new HashMap<>();
    s.links()
        .forEach(
            (path, link) ->
                heads.put(
                    path,
                    new StreamHead(
                        path,
                        StreamConfig.of(ContentType.JSON),
                        link.incarnation(),
                        Offset.ZERO,
                        link.tail(),
                        false)));
    return heads;
  }

  /** A holder makes a request, maybe long after it lost its wake. */
  private void speak() {
    if (holders.isEmpty()) {
      return;
    }
    Holder holder = holders.get(random.nextInt(holders.size()));
    List<SubscriptionAck> acks = new ArrayList<>();
    holder
        .told()
        .forEach(
            (path, head) -> {
              if (oneIn(2)) {
                long offset = random.nextLong(head.tail().position() / 10 + 1) * 10;
                acks.add(
                    new SubscriptionAck(
                        path, new Offset(oneIn(2) ? head.tail().position() : offset)));
              }
            });
    Optional<Subscription> s = world.table.find(holder.id());
    boolean current = s.isPresent() && s.get().inFlight(holder.hold().generation());
    acks.forEach(ack -> allow(holder, ack.path(), ack.offset().orElseThrow().position()));
    DecisionStep step = world.step();
    SubscriptionReply reply =
        oneIn(8) && !holder.webhook()
            ? world.rules.holding().release(step, holder.id(), holder.hold())
            : world
                .rules
                .holding()
                .ack(step, holder.id(), holder.hold(), acks, oneIn(2), holder.webhook());
    say("speak " + holder.id() + " " + holder.hold().generation() + " " + acks + " " + reply);
    if (!current) {
      assertThat(reply).isInstanceOf(SubscriptionReply.Refused.class);
      assertThat(step.changes()).isEmpty();
    }
    decided(step, () -> {});
  }

  private void allow(Holder holder, StreamPath path, long offset) {
    StreamHead head = holder.told().get(path);
    if (head != null) {
      allowed.merge(new Key(holder.id(), path, head.incarnation()), offset, Math::max);
    }
  }

  private void time() {
    world.advance(Duration.ofMillis(random.nextInt(15_000)));
    for (Subscription s : List.copyOf(world.table.all())) {
      if (WakeSchedule.due(s).filter(due -> due <= world.now).isPresent()) {
        say("tick " + s.id());
        decided(world.tick(s.id()), () -> {});
      }
    }
  }

  /** Writes some decisions, announces none of them, and begins again with that. */
  private void crash() {
    crashes++;
    int kept = random.nextInt(unwritten.size() + 1);
    List<SubscriptionChange> cut = new ArrayList<>();
    unwritten.subList(0, kept).forEach(d -> cut.addAll(d.changes()));
    int changes = cut.isEmpty() ? 0 : random.nextInt(cut.size() + 1);
    written.addAll(cut.subList(0, changes));
    say("crash, kept " + changes);
    unwritten.clear();
    calls.removeIf(call -> oneIn(2)); // some of their answers come late
    load();
  }

  private void load() {
    SubscriptionTable table = new SubscriptionTable();
    written.forEach(table::apply);
    table.dropHidden();
    if (oneIn(2)) {
      written.clear();
      written.addAll(table.whole());
      SubscriptionTable again = new SubscriptionTable();
      written.forEach(again::apply);
      assertThat(again).isEqualTo(table);
      table = again;
    }
    world.table = table;
    DecisionStep step = world.step();
    table.all().forEach(s -> world.rules.wakes().resume(step, s));
    decided(step, () -> {});
    compareAll();
  }

  private void compareAll() {
    hints.clear();
    Set<StreamPath> unseen = new LinkedHashSet<>(world.table.interests().linkedPaths());
    for (StreamPath path : List.copyOf(world.streams.keySet())) {
      unseen.remove(path);
      decided(world.look(path.text()), () -> {});
    }
    unseen.forEach(path -> decided(world.look(path.text()), () -> {}));
  }

  private void check() {
    for (Subscription s : world.table.all()) {
      s.links()
          .forEach(
              (path, link) ->
                  assertThat(link.acked().position())
                      .as("%s follows %s of %d", s.id(), path, link.incarnation())
                      .isLessThanOrEqualTo(
                          allowed.getOrDefault(new Key(s.id(), path, link.incarnation()), 0L)));
      boolean idle = s.wake().isEmpty();
      if (idle && !s.pending().isEmpty()) {
        assertThat(WakeSchedule.due(s)).as("who wakes " + s.id()).isPresent();
      }
    }
    if (oneIn(20)) {
      SubscriptionTable replayed = new SubscriptionTable();
      written.forEach(replayed::apply);
      unwritten.forEach(d -> d.changes().forEach(replayed::apply));
      replayed.dropHidden();
      assertThat(replayed).isEqualTo(world.table);
    }
  }

  /** From here on everyone behaves well, so that all work gets done. */
  public void finish() {
    holders.clear();
    for (int round = 0; round < 200 && !done(); round++) {
      List.copyOf(hints).forEach(this::look);
      write(Integer.MAX_VALUE);
      world.advance(Duration.ofSeconds(20));
      for (Subscription s : List.copyOf(world.table.all())) {
        if (WakeSchedule.due(s).filter(due -> due <= world.now).isPresent()) {
          decided(world.tick(s.id()), () -> {});
        }
      }
      write(Integer.MAX_VALUE);
      for (WakeCall call : List.copyOf(calls)) {
        calls.remove(call);
        work(call);
      }
      List.copyOf(events).forEach(this::pull);
      write(Integer.MAX_VALUE);
    }
    assertThat(done()).as("all work is done").isTrue();
  }

  private void pull(WakeCall event) {
    Subscription s = world.table.get(event.id());
    if (s == null || !s.inFlight(event.generation())) {
      return;
    }
    DecisionStep step = world.step();
    SubscriptionReply claim = world.rules.holding().claim(step, s.id(), "last", world.views());
    if (claim instanceof SubscriptionReply.Granted) {
      List<SubscriptionAck> acks = new ArrayList<>();
      s.links().forEach((path, link) -> acks.add(new SubscriptionAck(path, link.tail())));
      SubscriptionReply reply =
          world.rules.holding().ack(step, s.id(), world.hold(s.id()), acks, true, false);
      assertThat(reply).isInstanceOf(SubscriptionReply.Taken.class);
    }
    decided(step, () -> {});
  }

  private void work(WakeCall call) {
    Subscription s = world.table.get(call.id());
    if (s == null || !s.inFlight(call.generation())) {
      return;
    }
    DecisionStep step = world.step();
    if (s.config().delivery() instanceof WakeDelivery.Webhook) {
      world.rules.wakes().started(step, s);
      world.rules.wakes().answered(step, call, true);
    } else {
      announced(step, s, call);
    }
    decided(step, () -> {});
  }

  private boolean done() {
    return hints.isEmpty() && world.table.all().stream().allMatch(this::done);
  }

  private boolean done(Subscription s) {
    for (Map.Entry<StreamPath, StreamHead> stream : world.streams.entrySet()) {
      FollowedStream link = s.link(stream.getKey());
      boolean follows = s.config().matches(stream.getKey()) || link != null;
      if (follows
          && (link == null
              || link.incarnation() != stream.getValue().incarnation()
              || !link.acked().equals(stream.getValue().tail()))) {
        return false;
      }
    }
    return true;
  }
}
