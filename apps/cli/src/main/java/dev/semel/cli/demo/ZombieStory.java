package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.cli.demo.DemoStories.Ending;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.Optional;

/**
 * Story: a worker that is stopped right before it pays, for longer than its lease, and then
 * continues. It is a separate process, and gets a real {@code SIGSTOP}; this process has the bank,
 * and worker 2.
 */
final class ZombieStory {
  private static final long PRICE = 200_00;

  /** Far beyond a lease; a hanging store must not hang the demo. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final DemoStage stage;
  private final Narrator narrator;
  private final Key key = Key.of("demo", "payout-" + Ids.uuid7());
  private final Bank without = new Bank();
  private final Bank with = new Bank();
  private final PlainLock lock = new PlainLock(ZombieWorker.LEASE);

  private ZombieStory(DemoStage stage) {
    this.stage = stage;
    this.narrator = stage.narrator();
  }

  static Ending play(DemoStage stage) throws InterruptedException {
    try (Store store = stage.elsewhere().open();
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
        ChildProcess first = ChildProcess.start(stage.elsewhere().worker(), stage.folder())) {
      return new ZombieStory(stage).play(first, idempotency);
    }
  }

  private Ending play(ChildProcess first, Idempotency second) throws InterruptedException {
    narrator.aside("A worker is to pay out %s, once.".formatted(Bank.money(PRICE)));
    narrator.aside("On the left a lock makes sure of that, on the right a key. Both end by");
    narrator.aside("themselves, after one second, if their worker is not heard of.");
    first.tell(stage.elsewhere().url());
    first.tell(key.text());
    narrator.step("Worker 1 takes the job. Worker 2 wants it too.");
    require(first.hear().equals(ZombieWorker.HOLDS));
    require(lock.tryTake());
    narrator.beside("worker 1  has the lock", "worker 1  has the key");
    boolean free = lock.tryTake();
    narrator.beside(
        "worker 2  " + (free ? "has it too" : "no: it is locked"),
        "worker 2  " + told(ask(second, Duration.ZERO)));
    narrator.step("Right before it pays, worker 1 is stopped. The second goes by.");
    first.pause();
    lock.take();
    narrator.beside(
        "worker 2  has it: " + paid(without.charge(PRICE)),
        "worker 2  " + told(ask(second, LIMIT)));
    narrator.aside("A real process, and a real SIGSTOP: as if its machine were frozen.");
    narrator.step("Worker 1 wakes up, and goes on where it was.");
    first.tell(ZombieWorker.PAY);
    first.resume();
    wakesUp(first);
    return new Ending(
        "In the bank's ledger:",
        without.ledger().side(),
        with.ledger().side(),
        with.ledger().charges() == 1,
        Optional.of(key));
  }

  private void wakesUp(ChildProcess first) throws InterruptedException {
    require(first.hear().equals(ZombieWorker.PAYS_WITHOUT));
    String left = "worker 1  " + paid(without.charge(PRICE));
    String said = first.hear();
    require(said.equals(ZombieWorker.LOST) || said.equals(ZombieWorker.PAYS_WITH));
    narrator.beside(
        left,
        "worker 1  "
            + (said.equals(ZombieWorker.LOST)
                ? "the key is lost: no payment"
                : paid(with.charge(PRICE))));
    narrator.beside(
        "",
        "worker 1  "
            + (first.hear().equals(ZombieWorker.FENCED)
                ? "fenced: its word is refused"
                : "its word is taken"));
    narrator.aside("It asks execution.held() before it pays; its token no longer counts.");
    narrator.aside("A moment lies between the two: give the bank execution.effectKey() too.");
    first.awaitEnd();
  }

  private Outcome<String> ask(Idempotency worker, Duration patience) {
    return worker.execute(
        ExecutionRequest.of(key, Codec.utf8())
            .withPolicy(ZombieWorker.POLICY.withWaitUpTo(patience)),
        execution -> with.charge(PRICE));
  }

  private static String paid(String receipt) {
    return "pays, " + receipt;
  }

  private static String told(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Executed<String> e -> (e.attempt() > 1 ? "takes over: " : "") + paid(e.result());
      case Outcome.Replayed<String> r -> "replayed: " + r.result();
      case Outcome.InFlight<String> f -> "in flight: no payment";
      case Outcome.Mismatch<String> m -> "mismatch: no payment";
      case Outcome.Failed<String> f -> "failed: " + f.failure().message();
      case Outcome.InDoubt<String> d -> "in doubt: no payment";
    };
  }

  private static void require(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("the demo's worker says something else than it should");
    }
  }
}
