package dev.semel.tck;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One random run of actors over a few keys, one step at a time, each compared with {@link
 * KeyModel}. The same seed gives the same run. Leases are long, except when a holder falls silent:
 * the test shortens its lease and waits for the end, so that no answer depends on the machine's
 * speed.
 */
final class RandomHistory {
  private static final int KEYS = 3;
  private static final int ACTORS = 4;
  private static final int REMEMBERED_STEPS = 40;
  private static final List<Fingerprint> REQUESTS =
      List.of(
          ContractWords.REQUEST,
          ContractWords.REQUEST,
          ContractWords.OTHER_REQUEST,
          Fingerprint.NONE);

  private final StoreUnderTest store;
  private final long seed;
  private final Random random;
  private final List<Key> keys = new ArrayList<>();
  private final List<KeyModel> models = new ArrayList<>();

  /** The token of each actor's last claim on each key; most of them are no longer valid. */
  private final Token[][] tokens = new Token[ACTORS][KEYS];

  private final Deque<String> story = new ArrayDeque<>();

  RandomHistory(StoreUnderTest store, long seed) {
    this.store = store;
    this.seed = seed;
    this.random = new Random(seed);
    for (int k = 0; k < KEYS; k++) {
      keys.add(ContractWords.freshKey());
      models.add(new KeyModel());
      for (int actor = 0; actor < ACTORS; actor++) {
        tokens[actor][k] = Token.draw();
      }
    }
  }

  void run() {
    int steps = store.historySteps();
    double silence = (double) store.historyElapses() / steps;
    for (int i = 0; i < steps; i++) {
      int k = random.nextInt(KEYS);
      int actor = random.nextInt(ACTORS);
      if (random.nextDouble() < silence) {
        fallSilent(k, actor);
      } else {
        step(k, actor);
      }
      compare("find " + k, models.get(k).shown(), shown(store.idempotency().find(keys.get(k))));
    }
  }

  private void step(int k, int actor) {
    Key key = keys.get(k);
    KeyModel model = models.get(k);
    Token token = tokens[actor][k];
    String who = " " + k + " by " + actor;
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> claim(k, actor, ContractWords.LONG_LEASE, ContractWords.LONG_RETENTION);
      case 4, 5 ->
          compare(
              "renew" + who,
              model.renew(token),
              store.idempotency().renew(key, token, ContractWords.LONG_LEASE));
      case 6, 7, 8 -> complete(k, actor, ContractWords.LONG_RETENTION);
      case 9, 10 ->
          compare("release" + who, model.release(token), store.idempotency().release(key, token));
      default -> operate(k);
    }
  }

  private void operate(int k) {
    Key key = keys.get(k);
    if (random.nextBoolean()) {
      compare("force " + k, models.get(k).forceRelease(), store.catalog().forceRelease(key));
    } else {
      compare("delete " + k, models.get(k).forget(), store.catalog().delete(key));
    }
  }

  /**
   * Claims the key.
   *
   * @return whether the actor holds it now
   */
  private boolean claim(int k, int actor, Duration lease, Duration retention) {
    if (random.nextInt(4) > 0) {
      tokens[actor][k] = Token.draw(); // otherwise it asks again, as after a lost answer
    }
    Token token = tokens[actor][k];
    Fingerprint request = REQUESTS.get(random.nextInt(REQUESTS.size()));
    TakeoverPolicy takeover =
        random.nextBoolean() ? TakeoverPolicy.IN_DOUBT : TakeoverPolicy.RUN_AGAIN;
    ClaimResult claim =
        store
            .idempotency()
            .claim(new ClaimRequest(keys.get(k), token, request, lease, retention, takeover, ""));
    compare(
        "claim %d by %d %s".formatted(k, actor, takeover),
        models.get(k).claim(token, request, takeover),
        shown(claim));
    return models.get(k).heldBy(token);
  }

  private void complete(int k, int actor, Duration retention) {
    boolean completed = random.nextInt(3) > 0;
    String text = "by " + actor + " " + random.nextInt();
    ExecutionEnd ending =
        completed
            ? ExecutionEnd.completed(ContractWords.payload(text))
            : ExecutionEnd.failed(new StoredFailure("kind", text));
    Token token = tokens[actor][k];
    compare(
        "complete %d by %d".formatted(k, actor),
        models.get(k).complete(token, ending.state(), ending.payload()),
        store.idempotency().complete(keys.get(k), token, ending, retention));
  }

  /** Lets time pass, so that a lease or a retention ends. */
  private void fallSilent(int k, int actor) {
    KeyModel model = models.get(k);
    Token token = tokens[actor][k];
    Duration moment = ContractWords.LEASE;
    boolean ends = false;
    switch (random.nextInt(3)) {
      case 0 -> {
        compare(
            "renew %d by %d, briefly".formatted(k, actor),
            model.renew(token),
            store.idempotency().renew(keys.get(k), token, moment));
        if (model.heldBy(token)) {
          model.endLease();
        }
      }
      case 1 -> {
        boolean held = model.heldBy(token);
        complete(k, actor, moment);
        ends = held;
      }
      default -> {
        String before = model.shown();
        claim(k, actor, moment, moment);
        ends = !model.shown().equals(before);
      }
    }
    store.elapse(moment);
    tell("time passes");
    if (ends) {
      model.forget();
    }
  }

  private void compare(String step, Object expected, Object answered) {
    tell(step + " -> " + answered);
    if (!expected.equals(answered)) {
      throw new AssertionError(
          "seed %d: %s should give %s but gave %s, after%n  %s"
              .formatted(seed, step, expected, answered, String.join("\n  ", story)));
    }
  }

  private void tell(String line) {
    story.addLast(line);
    if (story.size() > REMEMBERED_STEPS) {
      story.removeFirst();
    }
  }

  private static String shown(ClaimResult claim) {
    return switch (claim) {
      case ClaimResult.Granted g -> "Granted " + g.attempt();
      case ClaimResult.Replay r -> "Replay " + r.original().attempt();
      case ClaimResult.Failed f -> "Failed " + f.original().attempt();
      case ClaimResult.InFlight f -> "InFlight " + f.original().attempt();
      case ClaimResult.Mismatch m -> "Mismatch " + m.original().attempt();
      case ClaimResult.InDoubt d -> "InDoubt " + d.original().attempt();
    };
  }

  private static String shown(Optional<StoredRecord> record) {
    return record
        .map(e -> e.state() + " " + e.original().attempt() + " " + e.payload().hashCode())
        .orElse("none");
  }
}
