package dev.semel.tck;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever steps run at once on the same keys, their answers are those of some order of the same
 * steps one by one. Time stands still: one key is free, the other's lease has ended.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "actor", gen = IntGen.class, conf = "0:3")
public class MemoryStoreLincheckTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Key[] KEYS = {Key.of("op", "free"), Key.of("op", "silent")};
  private static final Token[] TOKENS = {
    token("silent"), token("one"), token("two"), token("three")
  };

  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = new MemoryStore(clock);

  public MemoryStoreLincheckTest() {
    store.claim(request(1, 0));
    clock.advance(LEASE);
  }

  private static Token token(String name) {
    return new Token(Ids.named(name));
  }

  private static ClaimRequest request(int key, int actor) {
    return new ClaimRequest(
        KEYS[key],
        TOKENS[actor],
        Fingerprint.NONE,
        LEASE,
        LEASE.multipliedBy(10),
        TakeoverPolicy.RUN_AGAIN,
        "");
  }

  @Operation
  public String claim(@Param(name = "key") int key, @Param(name = "actor") int actor) {
    return switch (store.claim(request(key, actor))) {
      case ClaimResult.Granted g -> "granted " + g.attempt() + " " + g.takenOver();
      case ClaimResult.Replay r -> "replay " + r.response().type() + r.original().attempt();
      case ClaimResult.InFlight f -> "in flight " + f.original().attempt();
      case ClaimResult.Failed f -> "failed";
      case ClaimResult.Mismatch m -> "mismatch";
      case ClaimResult.InDoubt d -> "in doubt";
    };
  }

  @Operation
  public boolean renew(@Param(name = "key") int key, @Param(name = "actor") int actor) {
    return store.renew(KEYS[key], TOKENS[actor], LEASE);
  }

  @Operation
  public boolean complete(@Param(name = "key") int key, @Param(name = "actor") int actor) {
    ExecutionEnd ending = ExecutionEnd.completed(ContractWords.payload("by " + actor));
    return store.complete(KEYS[key], TOKENS[actor], ending, LEASE);
  }

  @Operation
  public boolean release(@Param(name = "key") int key, @Param(name = "actor") int actor) {
    return store.release(KEYS[key], TOKENS[actor]);
  }

  @Operation
  public boolean forceRelease(@Param(name = "key") int key) {
    return store.forceRelease(KEYS[key]);
  }

  @Operation
  public boolean delete(@Param(name = "key") int key) {
    return store.delete(KEYS[key]);
  }

  @Operation
  public String find(@Param(name = "key") int key) {
    return store
        .find(KEYS[key])
        .map(e -> e.state() + " " + e.original().attempt() + " " + e.payload().hashCode())
        .orElse("none");
  }

  @Test
  void stepsUnderStressAreLinearizable() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(20)
        .invocationsPerIteration(500)
        .check(MemoryStoreLincheckTest.class);
  }

  @Test
  void stepsInEveryInterleavingTriedAreLinearizable() {
    new ModelCheckingOptions()
        // The map's own steps are taken on trust, so that the search is spent between them.
        .addGuarantee(forClasses(ConcurrentHashMap.class.getName()).allMethods().treatAsAtomic())
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(20)
        .invocationsPerIteration(100)
        .check(MemoryStoreLincheckTest.class);
  }
}
