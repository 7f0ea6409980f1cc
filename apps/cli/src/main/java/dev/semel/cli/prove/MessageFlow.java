package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.FlowJudgement;
import dev.semel.proof.flow.MessageJudge;
import dev.semel.proof.flow.ProcessNote;
import dev.semel.proof.flow.ProvedFlow;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Proves the way from a transaction to an effect: outbox, relay, broker, consumer, inbox. */
public final class MessageFlow implements ProvedFlow {
  /** Limit: what the judge can hold, and one machine can write in the time. */
  private static final int MAX_MESSAGES = 40_000;

  private static final int MAX_PER_SECOND = 120;

  /** After this long without progress, missing messages count as lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final Duration LOOK = Duration.ofMillis(200);

  private final ProofDatabase database;
  private final ProofBroker broker;
  private final Optional<ProofStreams> own;
  private final Class<?> main;

  /**
   * @param own the broker's server, if the proof starts one
   * @param main entry point of producers, relays and consumers
   */
  public MessageFlow(
      ProofDatabase database, ProofBroker broker, Optional<ProofStreams> own, Class<?> main) {
    this.database = database;
    this.broker = broker;
    this.own = own;
    this.main = main;
  }

  @Override
  public About about() {
    return new About(
        "messages",
        "Outbox to inbox",
        database.describe() + " → " + (own.isPresent() ? own.get().describe() : shown()),
        "Producers write a business row and a message in one transaction, and take one of five back."
            + " Relays carry the messages to the broker, consumers handle them through the inbox and"
            + " write an effect in the same transaction. Afterwards rows and effects are compared."
            + partly(),
        "Every committed message took effect once, in order",
        "messages");
  }

  private String shown() {
    return StoreUrls.withoutSecrets(broker.url());
  }

  private ProofTargets.Reach toDatabase() {
    return ProofTargets.reach(database.url());
  }

  private ProofTargets.Reach toBroker() {
    return ProofTargets.reach(broker.url());
  }

  /** Names the side whose connection does not fail, if that is only one of the two. */
  private String partly() {
    List<String> apart = new ArrayList<>();
    if (toDatabase() instanceof ProofTargets.Reach.Not not) {
      apart.add(" The way to the database does not fail, because " + not.why() + ".");
    }
    if (toBroker() instanceof ProofTargets.Reach.Not not) {
      apart.add(" The way to the broker does not fail, because " + not.why() + ".");
    }
    return apart.size() == 1 ? apart.get(0) : "";
  }

  @Override
  public Duration lease() {
    return broker.lease();
  }

  @Override
  public Map<ProcessFault, String> leftOut(List<ProcessFault> faults) {
    Map<ProcessFault, String> left = new EnumMap<>(ProcessFault.class);
    if (toDatabase() instanceof ProofTargets.Reach.Not not
        && toBroker() instanceof ProofTargets.Reach.Not) {
      faults.stream()
          .filter(ProcessFault::ofTheNetwork)
          .forEach(fault -> left.put(fault, not.why()));
    }
    return left;
  }

  @Override
  public List<Member> members(ProofPlan plan) {
    List<Member> members = new ArrayList<>();
    own.ifPresent(streams -> members.addAll(streams.members()));
    int each = (plan.workers() + 1) / 2;
    int perSecond = Math.clamp(MAX_MESSAGES / plan.length().toSeconds(), 1, MAX_PER_SECOND) / each;
    for (String role : List.of("relay", "consumer", "producer")) {
      for (int number = 1; number <= each; number++) {
        members.add(member(role, role + "-" + number, Math.max(1, perSecond)));
      }
    }
    return members;
  }

  private Member member(String role, String name, int perSecond) {
    boolean writes = role.equals("producer");
    List<Way> ways = new ArrayList<>();
    way("database", toDatabase()).ifPresent(ways::add);
    if (!writes) {
      way("broker", toBroker()).ifPresent(ways::add);
    }
    return new Member(
        name,
        writes ? Duty.WRITES : Duty.CARRIES,
        main,
        Map.of(
            "role", role,
            "database", database.url(),
            "broker", broker.url(),
            "run", broker.run(),
            "token", broker.token(),
            "per_second", Integer.toString(perSecond)),
        ways);
  }

  static Optional<Way> way(String to, ProofTargets.Reach reach) {
    return reach instanceof ProofTargets.Reach.At at
        ? Optional.of(new Way(to, to, at.address(), at.through()))
        : Optional.empty();
  }

  /** Waits until everything has arrived, and then long enough for a duplicate to arrive. */
  @Override
  public void settle(ProofProgress progress) {
    ProofDatabase.Standing last = database.standing();
    long moved = System.nanoTime();
    while (true) {
      boolean arrived = last.waiting() == 0 && last.missing() == 0;
      Duration quiet = Duration.ofNanos(System.nanoTime() - moved);
      if (quiet.compareTo(arrived ? broker.lease().multipliedBy(2) : PATIENCE) > 0) {
        return;
      }
      progress.at(
          "waiting for %d messages".formatted(last.missing()), Duration.ZERO, last.committed(), 0);
      LockSupport.parkNanos(LOOK.toNanos());
      ProofDatabase.Standing now = database.standing();
      if (!now.equals(last)) {
        moved = System.nanoTime();
        last = now;
      }
    }
  }

  @Override
  public FlowJudgement judge(List<ProcessNote> notes) {
    return MessageJudge.judge(notes, database.ledger());
  }

  @Override
  public List<String> hazards() {
    Set<String> all = new LinkedHashSet<>(database.hazards());
    if (own.isEmpty()) {
      try (Transport transport = broker.connect()) {
        all.addAll(transport.hazards(PATIENCE));
      } catch (StoreException e) {
        all.add("the broker could not be asked: " + e.getMessage());
      }
    }
    return List.copyOf(all);
  }

  @Override
  public void close() {
    try {
      if (own.isPresent()) {
        own.get().close();
      } else if (!database.kept()) {
        broker.remove();
      }
    } finally {
      database.close();
    }
  }
}
