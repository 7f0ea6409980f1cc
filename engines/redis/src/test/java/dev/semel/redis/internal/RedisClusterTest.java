package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.internal.Ids;
import dev.semel.redis.Reconnecting;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.RedisClusterNode;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Faults that only a cluster has; each test restores the cluster. */
@Tag("service")
@ExtendWith(SharedServices.class)
class RedisClusterTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ExecutionEnd ENDING =
      ExecutionEnd.completed(new Payload("text/plain", new byte[] {42}));
  private static RedisClusterService cluster;

  private final Key key = Key.of("payments", Ids.uuid7().toString());
  private final Token token = Token.draw();
  private RedisStore store;

  @BeforeAll
  static void start() {
    cluster = RedisClusterService.start("--appendonly", "no");
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    store = RedisStore.open(cluster.url());
  }

  @AfterEach
  void close() {
    store.close();
    cluster.awaitReady();
  }

  private static ClaimRequest request(Key key, Token token) {
    return new ClaimRequest(key, token, Fingerprint.NONE, HOUR, HOUR, TakeoverPolicy.IN_DOUBT, "");
  }

  private static int slot(Key key) {
    return SlotHash.getSlot(RedisKey.name(key));
  }

  private static RedisClusterNode holder(Key key) {
    return cluster.holderOf(slot(key));
  }

  private static RedisClusterNode other(RedisClusterNode than) {
    return cluster.primaries().stream().filter(node -> node != than).findFirst().orElseThrow();
  }

  @Nested
  class Opening {
    @Test
    void singleRedisAndClusterAreToldApart(RedisService single) {
      String node = "redis://" + cluster.primaries().get(0);
      assertThatThrownBy(() -> RedisStore.open(node))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("use a redis-cluster:// URL");
      assertThatThrownBy(() -> RedisStore.open("redis-cluster://127.0.0.1:" + single.port()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("use a redis:// URL");
    }

    @Test
    void onePrimaryThatEvictsIsEnoughToRefuse() {
      RedisClusterNode node = cluster.primaries().get(2);
      node.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      try {
        assertThatThrownBy(() -> RedisStore.open(cluster.url()))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining(node.toString())
            .hasMessageContaining("allkeys-lru");
        RedisStore.open(cluster.url() + "?eviction=allow").close();
      } finally {
        node.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
      }
    }

    @Test
    void clusterThatDoesNotServeEverySlotIsRefused() {
      int slot = 77;
      RedisClusterNode node = cluster.holderOf(slot);
      node.ask("CLUSTER", "DELSLOTS", "" + slot);
      try {
        assertThatThrownBy(() -> RedisStore.open(cluster.url()))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("cluster_state fail");
      } finally {
        node.ask("CLUSTER", "ADDSLOTS", "" + slot);
      }
    }
  }

  @Test
  void everyKeyIsInTheSlotThatRedisSaysAndSoIsWhatStandsBesideIt() {
    for (String id : List.of("a", "}", "{}", "}{", "{a}b{c}", "a}b", "größe }", "{x}")) {
      String name = "i9y:{" + Key.of("payments", id).text() + "}";
      String slot = "" + slot(Key.of("payments", id));
      RedisClusterNode node = cluster.primaries().get(0);
      assertThat(node.ask("CLUSTER", "KEYSLOT", name)).as(id).isEqualTo(slot);
      assertThat(node.ask("CLUSTER", "KEYSLOT", "beside:" + name.substring(4)))
          .as(id)
          .isEqualTo(slot);
      ClaimResult claim = store.idempotency().claim(request(Key.of("payments", id), Token.draw()));
      assertThat(claim).as(id).isInstanceOf(ClaimResult.Granted.class);
    }
  }

  @Nested
  class AMovingSlot {
    private void claimAndComplete(RedisStore by) {
      int slot = slot(key);
      RedisClusterNode from = holder(key);
      RedisClusterNode to = other(from);
      assertThat(by.idempotency().claim(request(key, token)))
          .isInstanceOf(ClaimResult.Granted.class);
      cluster.beginMove(slot, from, to);

      // Its record is still at the source; a new record in this slot goes to the target.
      Key fresh = inSlot(slot);
      Token other = Token.draw();
      assertThat(by.idempotency().claim(request(fresh, other)))
          .isInstanceOf(ClaimResult.Granted.class);
      assertThat(by.idempotency().claim(request(fresh, Token.draw())))
          .isInstanceOf(ClaimResult.InFlight.class);
      assertThat(by.idempotency().complete(key, token, ENDING, HOUR)).isTrue();
      assertThat(by.idempotency().complete(fresh, other, ENDING, HOUR)).isTrue();

      cluster.endMove(slot, from, to);
      assertThat(by.idempotency().complete(key, token, ENDING, HOUR)).isTrue();
      assertThat(by.idempotency().claim(request(key, Token.draw())))
          .isInstanceOf(ClaimResult.Replay.class);
      assertThat(by.catalog().delete(fresh)).isTrue();
    }

    /** The id contains a closing brace, so only the text before it determines the slot. */
    private Key inSlot(int slot) {
      Key beside = Key.of("payments", key.id() + "}" + Ids.uuid7());
      assertThat(slot(beside)).isEqualTo(slot);
      return beside;
    }

    @Test
    void isFollowed() {
      claimAndComplete(store);
    }

    @Test
    void isFollowedWhereReplicasConfirm() {
      try (RedisStore confirming = RedisStore.open(cluster.url() + "?wait=1&wait-timeout=2s")) {
        claimAndComplete(confirming);
      }
    }
  }

  /** Compares sets, because a scan that restarts, or whose node resizes its table, repeats keys. */
  @Nested
  class AListing {
    private final String tenant = "t" + Ids.uuid7();
    private final List<Key> keys =
        IntStream.range(0, 200).mapToObj(i -> Key.of(tenant, "payments", "o" + i)).toList();

    private KeyCatalog.Page page(RedisStore by, String cursor) {
      return by.catalog().list(tenant + "/", cursor, 20);
    }

    private void claimAll() {
      keys.forEach(k -> store.idempotency().claim(request(k, Token.draw())));
    }

    /** Lists the rest with another store, like another process. */
    private Set<Key> rest(String from) {
      Set<Key> listed = new HashSet<>();
      try (RedisStore elsewhere = RedisStore.open(cluster.url())) {
        String cursor = from;
        while (!cursor.isEmpty()) {
          KeyCatalog.Page page = page(elsewhere, cursor);
          page.entries().forEach(entry -> listed.add(entry.key()));
          cursor = page.next();
        }
      }
      return listed;
    }

    private static List<Key> keys(KeyCatalog.Page page) {
      return page.entries().stream().map(KeyEntry::key).toList();
    }

    @Test
    void isReadOnByAnotherProcess() {
      claimAll();
      KeyCatalog.Page first = page(store, "");
      Set<Key> listed = new HashSet<>(keys(first));
      listed.addAll(rest(first.next()));
      assertThat(listed).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void showsWhatMovedToANodeThatWasScannedBefore() {
      claimAll();
      KeyCatalog.Page page = page(store, "");
      Set<Key> listed = new HashSet<>(keys(page));
      while (ClusterCursor.parse(page.next()).done().isEmpty()) {
        page = page(store, page.next());
        listed.addAll(keys(page));
      }
      SlotSet done = ClusterCursor.parse(page.next()).done();
      RedisClusterNode scanned = cluster.holderOf(done.slots().nextSetBit(0));
      Set<Key> moved = new HashSet<>();
      for (Key k : keys) {
        if (!done.contains(RedisKey.name(k)) && moved.size() < 5) {
          moved.add(k);
          cluster.moveSlots(slot(k), slot(k), scanned);
        }
      }
      listed.addAll(rest(page.next()));
      assertThat(moved).hasSize(5);
      assertThat(listed).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void saysThatASlotIsOnItsWayAndGoesOnWhenItArrived() {
      claimAll();
      Key k = keys.get(0);
      RedisClusterNode from = holder(k);
      RedisClusterNode to = other(from);
      cluster.beginMove(slot(k), from, to);
      Set<Key> listed = new HashSet<>();
      String[] cursor = {""};
      assertThatThrownBy(
              () -> {
                do {
                  KeyCatalog.Page page = page(store, cursor[0]);
                  listed.addAll(keys(page));
                  cursor[0] = page.next();
                } while (!cursor[0].isEmpty());
              })
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("moving slots that are not listed yet");
      cluster.endMove(slot(k), from, to);
      listed.addAll(rest(cursor[0]));
      assertThat(listed).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void startsAShardOverWhenItsReplicaTookOver() {
      claimAll();
      KeyCatalog.Page first = page(store, "");
      String node = ClusterCursor.parse(first.next()).node();
      RedisClusterNode scanned =
          cluster.living().stream().filter(n -> n.id().equals(node)).findFirst().orElseThrow();
      int slot = ClusterCursor.parse(first.next()).covered().slots().nextSetBit(0);
      assertThat(scanned.ask("WAIT", "1", "5000")).isEqualTo("1");
      cluster.awaitReady();
      cluster.kill(scanned);
      cluster.awaitFailover(slot, scanned);
      Set<Key> listed = new HashSet<>(keys(first));
      String cursor = first.next();
      while (!cursor.isEmpty()) {
        String at = cursor;
        KeyCatalog.Page page = Reconnecting.until(() -> page(store, at));
        listed.addAll(keys(page));
        cursor = page.next();
      }
      cluster.restart(scanned);
      assertThat(listed).containsExactlyInAnyOrderElementsOf(keys);
    }
  }

  @Test
  void usageIsOfAllPrimaries() {
    long before = store.catalog().usage().activeKeys();
    for (int i = 0; i < 30; i++) {
      store.idempotency().claim(request(Key.of("usage", Ids.uuid7().toString()), Token.draw()));
    }
    assertThat(store.catalog().usage().activeKeys()).isEqualTo(before + 30);
  }
}
