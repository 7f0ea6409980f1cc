package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.loop.Platform;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.outbox.spi.RetryingEntry;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayTest {
  private static final RelaySettings QUICK =
      RelaySettings.defaults()
          .withLease(Duration.ofHours(1))
          .withPoll(Duration.ofMillis(5))
          .withRetries(3, Duration.ofMillis(1), Duration.ofMillis(2));

  private static final Set<Integer> ALL =
      IntStream.range(0, OutboxStore.PARTITIONS).boxed().collect(Collectors.toSet());

  private final MemoryOutbox outbox = new MemoryOutbox();
  private final Held transport = new Held();
  private final List<Relay> relays = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    transport.answers = message -> CompletableFuture.completedFuture(new PublishResult(false, ""));
    transport.open.values().forEach(each -> each.complete(new PublishResult(false, "")));
    relays.forEach(Relay::close);
  }

  private Relay start() {
    Relay relay = Relay.start(Platform.REAL, outbox, transport, QUICK, RelayListener.NONE);
    relays.add(relay);
    return relay;
  }

  private static Message message(String id, String key) {
    return Message.of("orders", id).withId(id).withOrderingKey(key);
  }

  private void awaitSent(String... ids) {
    await().untilAsserted(() -> assertThat(transport.sent).containsExactlyInAnyOrder(ids));
  }

  private void awaitEmpty() {
    await().untilAsserted(() -> assertThat(outbox.pending()).isZero());
  }

  @Test
  void ofAKeyOneIsUnderWayAndTheOthersWait() {
    transport.hold();
    outbox.add(message("a1", "a"), message("a2", "a"), message("b1", "b"), message("c", ""));
    start();
    awaitSent("a1", "b1", "c");
    transport.confirm("a1");
    awaitSent("a1", "b1", "c", "a2");
    assertThat(outbox.pending()).as("nothing is marked before the broker has it").isEqualTo(4);
    transport.confirm("b1");
    transport.confirm("c");
    transport.confirm("a2");
    awaitEmpty();
  }

  @Test
  void whatHappensToAMessageIsToldAsEvents() {
    transport.answers =
        message ->
            switch (message.id()) {
              case "busy" -> failed(Kind.BUSY);
              case "bad" -> failed(Kind.REFUSED);
              default -> CompletableFuture.completedFuture(new PublishResult(true, ""));
            };
    List<Event> events = new CopyOnWriteArrayList<>();
    SemelListener faulty =
        event -> {
          events.add(event);
          throw new IllegalStateException("a listener's own fault");
        };
    Key key = Key.of("acme", "orders", "17");
    outbox.add(message("good", "").withKey(key), message("busy", ""), message("bad", ""));
    relays.add(Relay.start(Platform.REAL, outbox, transport, QUICK, RelayListener.to(faulty)));
    awaitEmpty();
    String reason = outbox.dead().values().iterator().next();
    Event.Mention busy = new Event.Mention("busy", "orders", "", "");
    Event.Mention bad = new Event.Mention("bad", "orders", "", "");
    await()
        .untilAsserted(
            () ->
                assertThat(events)
                    .containsExactlyInAnyOrder(
                        new Event.Published(
                            new Event.Mention("good", "orders", "", key.text()), true),
                        new Event.PublishRefused(busy, 1, reason),
                        new Event.PublishRefused(busy, 2, reason),
                        new Event.PublishRefused(busy, 3, reason),
                        new Event.DeadLettered(busy, reason),
                        new Event.PublishRefused(bad, 1, reason),
                        new Event.DeadLettered(bad, reason)));
  }

  @Test
  void aRefusedMessageHoldsBackOnlyItsOwnKey() {
    transport.answers =
        message ->
            message.id().equals("a1") && transport.times("a1") < 3
                ? failed(Kind.BUSY)
                : CompletableFuture.completedFuture(new PublishResult(false, ""));
    outbox.add(message("a1", "a"), message("a2", "a"), message("b1", "b"));
    Relay relay = start();
    awaitEmpty();
    assertThat(transport.sent.indexOf("a2")).isGreaterThan(transport.sent.lastIndexOf("a1"));
    assertThat(relay.counts().failed()).isEqualTo(2);
    assertThat(outbox.dead()).isEmpty();
  }

  @Test
  void whatIsRefusedTooOftenIsADeadLetterAndTheNextGoesOn() {
    transport.answers =
        message ->
            message.id().equals("a1")
                ? failed(Kind.BUSY)
                : CompletableFuture.completedFuture(new PublishResult(false, ""));
    outbox.add(message("a1", "a"), message("a2", "a"));
    Relay relay = start();
    awaitEmpty();
    assertThat(transport.times("a1")).isEqualTo(3);
    assertThat(outbox.dead().keySet()).extracting(Message::id).containsExactly("a1");
    assertThat(transport.sent).endsWith("a2");
    await().untilAsserted(() -> assertThat(relay.counts().dead()).isEqualTo(1));
  }

  @Test
  void whatWillNeverBeTakenIsTriedOnce() {
    transport.answers =
        message ->
            message.id().equals("bad")
                ? failed(Kind.REFUSED)
                : CompletableFuture.completedFuture(new PublishResult(false, ""));
    outbox.add(message("bad", ""), message("good", ""));
    start();
    awaitEmpty();
    assertThat(transport.times("bad")).isEqualTo(1);
    assertThat(outbox.dead().values()).containsExactly("no");
  }

  @Test
  void aTransportThatThrowsStopsNobody() {
    transport.answers =
        message -> {
          if (message.id().equals("bad")) {
            throw new IllegalStateException("a bug");
          }
          return CompletableFuture.completedFuture(new PublishResult(false, ""));
        };
    outbox.add(message("bad", ""), message("good", ""));
    start();
    awaitEmpty();
    assertThat(outbox.dead().values().iterator().next()).contains("a bug");
  }

  @Test
  void aBrokerThatIsAwayCostsNoAttempts() {
    transport.answers =
        message ->
            transport.sent.size() < 6
                ? failed(Kind.UNREACHABLE)
                : CompletableFuture.completedFuture(new PublishResult(false, ""));
    outbox.add(message("a1", "a"), message("a2", "a"));
    Relay relay = start();
    awaitEmpty();
    assertThat(outbox.dead()).isEmpty();
    assertThat(relay.counts().failed()).isZero();
    assertThat(transport.sent.getLast()).isEqualTo("a2");
  }

  @Test
  void partitionsAreSharedAndHandedOverWhenNothingIsUnderWay() {
    transport.hold();
    Relay first = start();
    outbox.add(message("a1", "a"));
    awaitSent("a1");
    RelaySettings settings = QUICK.withLease(Duration.ofMillis(300));
    Relay second = Relay.start(Platform.REAL, outbox, transport, settings, RelayListener.NONE);
    relays.add(second);
    int partition = OutboxStore.partition("a");
    assertThat(outbox.holds(first.id(), partition)).isTrue();
    transport.confirm("a1");
    awaitEmpty();
    first.close();
    await().until(() -> outbox.holds(second.id(), partition));
  }

  @Test
  void aReleaseThatIsDoneAfterItsCallerGaveUpTakesNothingAway() {
    Ahead platform = new Ahead();
    MemoryOutbox shared = new MemoryOutbox(platform, 1);
    Map<String, Set<Integer>> unanswered = new ConcurrentHashMap<>();
    OutboxStore losing =
        (OutboxStore)
            Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("release") && unanswered.isEmpty()) {
                    unanswered.put((String) arguments[0], ALL);
                    throw new StoreException("the store did not answer");
                  }
                  return method.invoke(shared, arguments);
                });
    Relay first = Relay.start(platform, losing, transport, QUICK, RelayListener.NONE);
    relays.add(first);
    await().until(() -> held(shared, first) == OutboxStore.PARTITIONS);
    Relay second = Relay.start(platform, shared, transport, QUICK, RelayListener.NONE);
    relays.add(second);
    platform.until(() -> !unanswered.isEmpty());
    platform.pass(QUICK.lease()); // of the name under which it asked
    long half = OutboxStore.PARTITIONS / 2;
    platform.until(() -> held(shared, first) == half && held(shared, second) == half);
    unanswered.forEach(shared::release);
    assertThat(held(shared, first)).isEqualTo(half);
  }

  private static long held(MemoryOutbox outbox, Relay relay) {
    return ALL.stream().filter(partition -> outbox.holds(relay.id(), partition)).count();
  }

  @Test
  void whatIsHandedOverIsFoundSoonHoweverLongTheLease() {
    Ahead platform = new Ahead();
    MemoryOutbox shared = new MemoryOutbox(platform, 1);
    Relay first = Relay.start(platform, shared, transport, QUICK, RelayListener.NONE);
    int partition = OutboxStore.partition("a");
    await().until(() -> shared.holds(first.id(), partition));
    Relay second = Relay.start(platform, shared, transport, QUICK, RelayListener.NONE);
    relays.add(second);
    first.close();
    platform.pass(Duration.ofSeconds(5));
    await().until(() -> shared.holds(second.id(), partition));
  }

  /** Heartbeats that fall into its sendings are heeded as soon as nothing is under way. */
  @Test
  void aRelayThatIsAlwaysBusyGivesOthersTheirShareToo() {
    Ahead platform = new Ahead();
    MemoryOutbox shared = new MemoryOutbox(platform, 1);
    Watched busy = new Watched(shared, new CopyOnWriteArrayList<>());
    Watched other = new Watched(shared, new CopyOnWriteArrayList<>());
    transport.hold();
    shared.add(message("a1", "a"));
    relays.add(Relay.start(platform, busy, transport, QUICK, RelayListener.NONE));
    awaitSent("a1");
    relays.add(Relay.start(platform, other, transport, QUICK, RelayListener.NONE));
    await().until(() -> other.calls.contains("heartbeat"));
    busy.calls.clear();
    platform.pass(Duration.ofSeconds(5));
    await().until(() -> busy.calls.contains("heartbeat"));
    busy.calls.clear();
    transport.confirm("a1");
    await().until(() -> busy.calls.contains("release"));
    assertThat(busy.calls).as("before the next heartbeat").first().isEqualTo("release");
  }

  @Test
  void closingFinishesWhatIsUnderWayAndSendsNothingMore() {
    transport.hold();
    outbox.add(message("a1", "a"), message("a2", "a"));
    Relay relay = start();
    awaitSent("a1");
    Thread closing = Thread.ofVirtual().start(relay::close);
    await().until(() -> closing.getState() == Thread.State.WAITING);
    transport.confirm("a1");
    await().until(() -> !closing.isAlive());
    assertThat(transport.sent).containsExactly("a1");
    assertThat(outbox.pending()).isEqualTo(1);
    assertThat(outbox.holds(relay.id(), OutboxStore.partition("a"))).isFalse();
  }

  @Test
  void behindAMessageWithoutAnAnswerNothingOvertakes() {
    Ahead platform = new Ahead();
    MemoryOutbox sparse = new MemoryOutbox(platform, 1_000_000); // no look back reaches so far
    transport.hold();
    Relay relay = Relay.start(platform, sparse, transport, QUICK, RelayListener.NONE);
    relays.add(relay);
    sparse.add(message("a1", "a"));
    awaitSent("a1");
    sparse.add(message("a2", "a"));
    transport.answers = message -> CompletableFuture.completedFuture(new PublishResult(false, ""));
    platform.pass(Duration.ofSeconds(61));
    await().untilAsserted(() -> assertThat(sparse.pending()).isZero());
    assertThat(transport.sent).containsExactly("a1", "a1", "a2");
  }

  /** Notes who asks for partitions and who gives some up. */
  private record Watched(OutboxStore to, List<String> calls) implements OutboxStore {
    @Override
    public String describe() {
      return to.describe();
    }

    @Override
    public PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts) {
      PartitionAssignment assignment = to.heartbeat(relay, lease, counts);
      calls.add("heartbeat");
      return assignment;
    }

    @Override
    public void release(String relay, Set<Integer> partitions) {
      calls.add("release");
      to.release(relay, partitions);
    }

    @Override
    public void leave(String relay) {
      to.leave(relay);
    }

    @Override
    public List<OutboxEntry> read(List<ReadRange> slices, int limitEach) {
      return to.read(slices, limitEach);
    }

    @Override
    public List<RetryingEntry> retrying(Set<Integer> partitions) {
      return to.retrying(partitions);
    }

    @Override
    public void published(List<OutboxEntry> messages) {
      to.published(messages);
    }

    @Override
    public boolean failed(String relay, OutboxEntry message, String reason, Duration pause) {
      return to.failed(relay, message, reason, pause);
    }

    @Override
    public boolean bury(String relay, OutboxEntry message, String reason) {
      return to.bury(relay, message, reason);
    }

    @Override
    public void resting(String relay, boolean resting) {
      to.resting(relay, resting);
    }

    @Override
    public AutoCloseable onBell(Runnable ring) {
      return to.onBell(ring);
    }
  }

  /** A clock that the test puts forward, and nobody who rests for longer than a moment. */
  private static final class Ahead implements Platform {
    private final AtomicLong nanos = new AtomicLong();

    void pass(Duration time) {
      nanos.addAndGet(time.toNanos());
    }

    /** Lets a second pass at each look. */
    void until(Callable<Boolean> condition) {
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(1));
                return condition.call();
              });
    }

    @Override
    public long nanos() {
      return System.nanoTime() + nanos.get();
    }

    @Override
    public void park(Object blocker, long nanos) {
      Platform.super.park(blocker, Math.min(nanos, Duration.ofMillis(5).toNanos()));
    }
  }

  @Test
  void aTransportThatTakesAllOrNoneGetsABatchWithItsKeysTogether() {
    transport.together = true;
    transport.hold();
    outbox.add(message("a1", "a"), message("a2", "a"), message("b1", "b"), message("c", ""));
    start();
    awaitSent("a1", "a2", "b1", "c");
    assertThat(transport.calls).containsExactly(4);
    transport.open.values().forEach(each -> each.complete(new PublishResult(false, "")));
    awaitEmpty();
    assertThat(transport.sent.indexOf("a1")).isLessThan(transport.sent.indexOf("a2"));
  }

  @Test
  void aBatchThatFailedAsAWholeIsSentAgainAsAWholeAndNothingOvertakesIt() {
    transport.together = true;
    transport.answers =
        message ->
            transport.calls.size() < 3
                ? failed(Kind.UNREACHABLE)
                : CompletableFuture.completedFuture(new PublishResult(false, ""));
    outbox.add(message("a1", "a"), message("a2", "a"));
    start();
    awaitEmpty();
    assertThat(transport.calls).containsExactly(2, 2, 2);
    assertThat(transport.sent).containsExactly("a1", "a2", "a1", "a2", "a1", "a2");
    assertThat(outbox.dead()).isEmpty();
  }

  @Test
  void inOneCallAreNoMoreThanMayBeInFlight() {
    transport.together = true;
    outbox.add(message("a1", "a"), message("a2", "a"), message("a3", "a"));
    relays.add(
        Relay.start(
            Platform.REAL, outbox, transport, QUICK.withMaxInFlight(2), RelayListener.NONE));
    awaitEmpty();
    assertThat(transport.calls).containsExactly(2, 1);
    assertThat(transport.sent).containsExactly("a1", "a2", "a3");
  }

  private static CompletionStage<PublishResult> failed(Kind kind) {
    return CompletableFuture.failedFuture(new PublishFailed(kind, "no"));
  }

  /** Answers when the test says so. */
  private static final class Held implements Transport {
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final Map<String, CompletableFuture<PublishResult>> open = new ConcurrentHashMap<>();
    private volatile Function<Message, CompletionStage<PublishResult>> answers =
        message -> CompletableFuture.completedFuture(new PublishResult(false, ""));

    private final List<Integer> calls = new CopyOnWriteArrayList<>();
    private volatile boolean together;

    void hold() {
      answers = message -> open.computeIfAbsent(message.id(), id -> new CompletableFuture<>());
    }

    void confirm(String id) {
      open.computeIfAbsent(id, i -> new CompletableFuture<>())
          .complete(new PublishResult(false, ""));
    }

    long times(String id) {
      return sent.stream().filter(id::equals).count();
    }

    @Override
    public String describe() {
      return "held";
    }

    @Override
    public CompletionStage<PublishResult> publish(Message message) {
      sent.add(message.id());
      return answers.apply(message);
    }

    @Override
    public List<CompletionStage<PublishResult>> publishAll(List<Message> messages) {
      calls.add(messages.size());
      return Transport.super.publishAll(messages);
    }

    @Override
    public boolean allOrNone() {
      return together;
    }

    @Override
    public boolean keepsOrder() {
      return false;
    }

    @Override
    public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
