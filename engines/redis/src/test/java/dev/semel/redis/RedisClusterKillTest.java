package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.proof.fault.EffectLog;
import dev.semel.testservices.RedisClusterNode;
import dev.semel.testservices.RedisClusterService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes work on one cluster while a primary is killed or slots move; the test compares what
 * the store acknowledged with what is left. Replication is asynchronous, so a failover may lose the
 * last acknowledgements before the crash, and no others.
 */
class RedisClusterKillTest {
  /** A slot of the shard that loses its primary. */
  private static final int SLOT = 100;

  /** The most that a connected replica lags, even on a busy machine. */
  private static final Duration LAG = Duration.ofSeconds(2);

  /** Shorter than the time after which the cluster would miss the replica. */
  private static final Duration CUT_OFF = RedisClusterService.NODE_TIMEOUT.dividedBy(4);

  private static final int CRASHES = ProofRun.volume(6, 60);
  private static final int BYTES_PER_KEY = 90;

  @TempDir Path folder;
  private RedisClusterService cluster;
  private EffectLog log;
  private List<ChildJvm> children = List.of();

  private TestReporter report;

  @BeforeEach
  void start(TestReporter report) {
    this.report = report;
    cluster = RedisClusterService.start();
    log = new EffectLog(folder.resolve("effects"));
  }

  @AfterEach
  void end() {
    children.forEach(ChildJvm::close);
    cluster.close();
  }

  private void startWorkers(String options) {
    String[] arguments = {
      cluster.url() + options, folder.resolve("effects").toString(), enough().toString()
    };
    Path output = folder.resolve("children.log");
    children =
        List.of(
            ChildJvm.start(ClusterWorker.class, output, arguments),
            ChildJvm.start(ClusterWorker.class, output, arguments));
  }

  private Path enough() {
    return folder.resolve("enough");
  }

  private void awaitKeys(int count) {
    long target = log.bytes() + (long) count * BYTES_PER_KEY;
    while (log.bytes() < target) {
      assertThat(children)
          .as(() -> "a worker ended: " + children.getFirst().output())
          .allMatch(ChildJvm::alive);
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  private ClusterAccount finish(String title, long crashAt) throws IOException {
    Files.createFile(enough());
    children.forEach(ChildJvm::awaitSuccess);
    try (RedisStore store = RedisStore.open(cluster.url())) {
      ClusterAccount account = ClusterAccount.of(log, store.idempotency());
      System.out.println(account.summary(title, crashAt));
      report.publishEntry("keys", "" + account.grants());
      assertThat(account.grants()).isGreaterThan(500);
      return account;
    }
  }

  /**
   * Kills the primary.
   *
   * @return the time of the crash
   */
  private long kill(RedisClusterNode primary) {
    long at = System.currentTimeMillis();
    cluster.kill(primary);
    report.publishEntry("kills", "1");
    cluster.awaitFailover(SLOT, primary);
    cluster.restart(primary);
    cluster.awaitReady();
    return at;
  }

  /** Disconnects the replica shortly before it takes over, like a network that fails just then. */
  private long cutOffAndKill(RedisClusterNode primary) {
    RedisClusterNode replica = cluster.replicasOf(primary).get(0);
    replica.server().freeze();
    primary.ask("CLIENT", "KILL", "TYPE", "replica");
    LockSupport.parkNanos(CUT_OFF.toNanos()); // the length of the fault; nothing waits for it
    long at = System.currentTimeMillis();
    cluster.kill(primary);
    report.publishEntry("kills", "1");
    replica.server().thaw();
    cluster.awaitFailover(SLOT, primary);
    cluster.restart(primary);
    cluster.awaitReady();
    return at;
  }

  private static void assertLostOnly(ClusterAccount account, long from, long crashAt) {
    assertThat(account.lost())
        .as("acknowledgements outside of the window must survive")
        .allMatch(at -> at >= from && at <= crashAt + LAG.toMillis());
  }

  private void moveSlots(int count) {
    List<RedisClusterNode> primaries = cluster.primaries();
    for (int i = 0; i < count; i++) {
      int slot = i * (RedisClusterService.SLOTS / count);
      RedisClusterNode holder = cluster.holderOf(slot);
      cluster.moveSlots(slot, slot, primaries.get(holder == primaries.get(0) ? 1 : 0));
    }
  }

  @Test
  @Tag("proof")
  void nothingIsLostWhileSlotsMoveAndOnlyTheLastMomentWhenAPrimaryDies() throws IOException {
    startWorkers("");
    awaitKeys(500);
    moveSlots(20);
    awaitKeys(300);
    long crashAt = kill(cluster.holderOf(SLOT));
    awaitKeys(300);
    ClusterAccount account = finish("moved slots, then kill -9", crashAt);
    assertLostOnly(account, crashAt - LAG.toMillis(), crashAt);
  }

  @Test
  @Tag("proof")
  void onlyTheLastMomentIsLostOverManyCrashes() throws IOException {
    startWorkers("");
    List<Long> crashes = new ArrayList<>();
    for (int i = 0; i < CRASHES; i++) {
      awaitKeys(300);
      crashes.add(kill(cluster.holderOf(SLOT)));
    }
    awaitKeys(300);
    ClusterAccount account = finish(CRASHES + " times kill -9", crashes.getLast());
    assertThat(account.lost())
        .allMatch(at -> crashes.stream().anyMatch(crash -> Math.abs(crash - at) <= LAG.toMillis()));
  }

  @Test
  @Tag("proof")
  void nothingIsLostOrRepeatedWhileManySlotsMove() throws IOException {
    startWorkers("");
    awaitKeys(500);
    moveSlots(300);
    awaitKeys(500);
    ClusterAccount account = finish("300 slots moved", System.currentTimeMillis());
    assertThat(account.lost()).isEmpty();
    assertThat(account.refused()).isZero();
  }

  @Test
  @Tag("proof")
  void nothingIsLostOrRepeatedWhileSlotsMoveAndReplicasConfirm() throws IOException {
    startWorkers("?wait=1");
    awaitKeys(500);
    moveSlots(100);
    awaitKeys(500);
    ClusterAccount account = finish("wait=1, 100 slots moved", System.currentTimeMillis());
    assertThat(account.lost()).isEmpty();
    assertThat(account.refused()).isZero();
  }

  @Test
  @Tag("proof")
  void aCutOffReplicaLosesWhatWasAcknowledgedMeanwhile() throws IOException {
    startWorkers("");
    awaitKeys(500);
    long cutAt = System.currentTimeMillis();
    long crashAt = cutOffAndKill(cluster.holderOf(SLOT));
    awaitKeys(500);
    ClusterAccount account = finish("replica cut off, then kill -9", crashAt);
    assertThat(account.lost()).as("the fault was not felt").isNotEmpty();
    assertLostOnly(account, cutAt - LAG.toMillis(), crashAt);
  }

  @Test
  @Tag("proof")
  void nothingThatAReplicaConfirmedIsLost() throws IOException {
    startWorkers("?wait=1");
    awaitKeys(500);
    long crashAt = cutOffAndKill(cluster.holderOf(SLOT));
    awaitKeys(500);
    ClusterAccount account = finish("wait=1, replica cut off, then kill -9", crashAt);
    assertThat(account.lost()).isEmpty();
  }
}
