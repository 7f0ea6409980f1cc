package dev.semel.proof.simulation;

import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.outbox.spi.RetryingEntry;
import dev.semel.proof.history.MessageChecker;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs real relays and consumers between an outbox, a broker and an inbox, while calls get lost and
 * delayed, and processes are frozen, killed and replaced. In the end every message must have taken
 * effect once, those of a key in order, the outbox must be empty, and no relay may have begun to
 * send what another one had.
 */
public final class OutboxSimulation {
  private static final int RELAYS = 3;
  private static final int CONSUMERS = 2;
  private static final int MESSAGES = 60;
  private static final int KEYS = 4;

  /** Large gaps between places, so that relays look back over few messages. */
  private static final int GAP = 6000;

  private static final int MOST_KILLS = 6;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(4);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final double[] FAULTS_PER_CALL = {0, 0.02, 0.1, 0.2};

  /** A missing safeguard, to test whether the checks notice it. */
  public enum Mutation {
    NONE,
    /** Messages leave the outbox when they are read, before they are published. */
    MARK_BEFORE_PUBLISH,
    /** Relays assume a lease that they do not have. */
    NO_FENCING,
    /** The inbox does not store ids. */
    NO_INBOX_KEY
  }

  private final SimulatedWorld world;
  private final Random random;
  private final SimulatedMachine server;
  private final SimulatedNetwork network;
  private final MemoryOutbox outbox;
  private final SimulatedBroker broker;
  private final Mutation mutation;
  private final Set<String> inbox = new HashSet<>();
  private final List<String> effects = new ArrayList<>();
  private final List<MessageChecker.Message> sent = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final List<SimulatedMachine> processes = new ArrayList<>();
  private int duplicates;

  /**
   * The result of a run.
   *
   * @param wrong one sentence for each fault
   * @param duplicates the number of redelivered messages without an effect
   * @param steps equal in two runs of one seed
   */
  public record Result(
      List<String> wrong, int effects, int duplicates, Map<String, Integer> faults, long steps) {}

  private OutboxSimulation(long seed, Mutation mutation) {
    this.world = new SimulatedWorld(seed);
    this.random = world.random();
    this.server = new SimulatedMachine(world, "server", 0, Duration.ZERO);
    this.network = new SimulatedNetwork(world, server, LONGEST_DELAY);
    this.outbox = new MemoryOutbox(server, GAP);
    this.broker = new SimulatedBroker(world, Duration.ofSeconds(random.nextInt(2) * 20L));
    this.mutation = mutation;
  }

  /** Runs one seed to its end. */
  public static Result run(long seed, Mutation mutation) {
    return new OutboxSimulation(seed, mutation).run();
  }

  private Result run() {
    world.run(server, this::direct);
    wrong.addAll(MessageChecker.check(sent, effects));
    outbox.dead().keySet().stream()
        .filter(letter -> !letter.id().contains(SimulatedBroker.REFUSED))
        .map(letter -> letter.id() + " is a dead letter, and nobody refused it")
        .forEach(wrong::add);
    Map<String, Integer> faults = new TreeMap<>();
    network.injected().forEach((fault, count) -> faults.put(fault.name(), count));
    return new Result(List.copyOf(wrong), effects.size(), duplicates, faults, world.steps());
  }

  private void direct() {
    network.weather(FAULTS_PER_CALL[random.nextInt(FAULTS_PER_CALL.length)], MOST_KILLS);
    List<Living> relays = living(RELAYS, this::startRelay);
    List<Living> consumers = living(CONSUMERS, this::startConsumer);
    while (sent.size() < MESSAGES) {
      write();
      keepAlive(relays, consumers);
      world.sleep(random.nextLong(LOOK_EVERY.toNanos() * 4));
    }
    network.weather(0, 0);
    long deadline = world.now() + PATIENCE.toNanos();
    while (outbox.pending() + broker.waiting() > 0 && world.now() < deadline) {
      keepAlive(relays, consumers);
      world.sleep(LOOK_EVERY.toNanos());
    }
    if (outbox.pending() > 0) {
      wrong.add(outbox.pending() + " messages stay in the outbox");
    }
    // Lets frozen processes wake up, so that their late calls arrive.
    world.sleep(LONGEST_DELAY.multipliedBy(2).toNanos());
    processes.forEach(SimulatedMachine::kill);
  }

  /** Writes a transaction's messages; a transaction without any leaves no trace. */
  private void write() {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      String key = random.nextInt(4) == 0 ? "" : "k" + random.nextInt(KEYS);
      String id =
          "m" + (sent.size() + i) + (random.nextInt(25) == 0 ? SimulatedBroker.REFUSED : "");
      messages.add(Message.of("orders", "x").withId(id).withOrderingKey(key));
    }
    outbox.add(messages.toArray(Message[]::new));
    for (Message each : messages) {
      boolean arrives = !each.id().contains(SimulatedBroker.REFUSED);
      sent.add(new MessageChecker.Message(each.id(), each.orderingKey(), arrives));
    }
  }

  /** A place for a process: when it dies, another one replaces it. */
  private static final class Living {
    private final Supplier<SimulatedMachine> start;
    private SimulatedMachine platform;

    Living(Supplier<SimulatedMachine> start) {
      this.start = start;
      this.platform = start.get();
    }

    void keepAlive() {
      if (platform.dead()) {
        platform = start.get();
      }
    }
  }

  private static List<Living> living(int count, Supplier<SimulatedMachine> start) {
    return Stream.generate(() -> new Living(start)).limit(count).toList();
  }

  private void keepAlive(List<Living> relays, List<Living> consumers) {
    if (random.nextInt(20) == 0) {
      Stream.concat(relays.stream(), consumers.stream()).forEach(Living::keepAlive);
    }
  }

  private SimulatedMachine process(String kind) {
    SimulatedMachine platform =
        new SimulatedMachine(
            world, kind + "-" + processes.size(), random.nextLong() >> 8, Duration.ZERO);
    processes.add(platform);
    return platform;
  }

  private SimulatedMachine startRelay() {
    SimulatedMachine platform = process("relay");
    OutboxStore store = network.between(platform, OutboxStore.class, mutated(outbox));
    Map<String, Relay> started = new HashMap<>();
    SimulatedTransport transport =
        new SimulatedTransport(
            platform,
            network.between(platform, BrokerDesk.class, broker),
            message -> requireLease(started.get("relay"), message));
    RelaySettings settings =
        RelaySettings.defaults()
            .withLease(mutation == Mutation.NO_FENCING ? LEASE.multipliedBy(20) : LEASE)
            .withBatch(1 + random.nextInt(10))
            .withMaxInFlight(1 + random.nextInt(10))
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(2));
    platform.start(
        "main",
        () ->
            started.put(
                "relay",
                Relay.start(platform, unrung(store), transport, settings, RelayListener.NONE)));
    return platform;
  }

  /** Ignores messages without an ordering key, whose partition is unknown. */
  private void requireLease(@Nullable Relay relay, Message message) {
    if (relay != null
        && message.ordered()
        && !outbox.holds(relay.id(), OutboxStore.partition(message.orderingKey()))) {
      wrong.add(relay.id() + " sends " + message.id() + " of a partition that it does not have");
    }
  }

  private OutboxStore mutated(OutboxStore store) {
    return switch (mutation) {
      case MARK_BEFORE_PUBLISH ->
          new Passing(store) {
            @Override
            public List<OutboxEntry> read(List<ReadRange> slices, int limitEach) {
              List<OutboxEntry> read = store.read(slices, limitEach);
              store.published(read);
              return read;
            }
          };
      case NO_FENCING ->
          new Passing(store) {
            @Override
            public PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts) {
              return store.heartbeat(relay, LEASE, counts);
            }
          };
      case NONE, NO_INBOX_KEY -> store;
    };
  }

  /** Without notifications, because they would bypass the simulated network. */
  private static OutboxStore unrung(OutboxStore store) {
    return new Passing(store) {
      @Override
      public AutoCloseable onBell(Runnable ring) {
        return () -> {};
      }
    };
  }

  private SimulatedMachine startConsumer() {
    SimulatedMachine platform = process("consumer");
    SimulatedTransport transport =
        new SimulatedTransport(
            platform, network.between(platform, BrokerDesk.class, broker), message -> {});
    ConsumerInbox consumerInbox = network.between(platform, ConsumerInbox.class, this::take);
    ConsumerSettings settings =
        ConsumerSettings.defaults()
            .withBatch(1 + random.nextInt(8))
            .withRetries(1_000_000, Duration.ofMillis(50), Duration.ofSeconds(1));
    platform.start(
        "main",
        () ->
            MessageConsumer.start(
                platform,
                "ledger",
                transport.subscribe("orders", "ledger", SubscribeSettings.defaults()),
                consumerInbox,
                (consumer, message, attempts, reason) -> wrong.add(message.id() + " was buried"),
                settings,
                ConsumerListener.NONE));
    return platform;
  }

  /** One transaction with both ids and effects. */
  private List<HandleResult> take(List<Message> messages) {
    Set<String> failed = new HashSet<>();
    List<HandleResult> results = new ArrayList<>();
    for (Message each : messages) {
      if (failed.contains(each.orderingKey()) && each.ordered()) {
        results.add(new HandleResult.HeldBack());
      } else if (mutation != Mutation.NO_INBOX_KEY && inbox.contains(each.id())) {
        duplicates++;
        results.add(new HandleResult.Duplicate());
      } else if (random.nextInt(20) == 0) {
        failed.add(each.orderingKey());
        results.add(new HandleResult.Failed(new IllegalStateException("not today"), false));
      } else {
        inbox.add(each.id());
        effects.add(each.id());
        results.add(new HandleResult.Done());
      }
    }
    return results;
  }

  /** Forwards every call. */
  private static class Passing implements OutboxStore {
    private final OutboxStore to;

    Passing(OutboxStore to) {
      this.to = to;
    }

    @Override
    public String describe() {
      return to.describe();
    }

    @Override
    public PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts) {
      return to.heartbeat(relay, lease, counts);
    }

    @Override
    public void release(String relay, Set<Integer> partitions) {
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
}
