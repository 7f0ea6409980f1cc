package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("service")
class RedisClusterServiceTest {
  /** Slot of the key {@code a}, and of every key with the hash tag a. */
  private static final int SLOT = 15495;

  @Test
  void slotsMoveWithTheirKeysAndAReplicaTakesOver() {
    try (RedisClusterService cluster = RedisClusterService.start()) {
      assertThat(cluster.primaries()).hasSize(3);
      assertThat(cluster.url()).startsWith("redis-cluster://127.0.0.1:").contains(",");

      RedisClusterNode from = cluster.holderOf(SLOT);
      assertThat(cluster.replicasOf(from)).hasSize(1);
      for (String key : List.of("{a}1", "{a}2")) {
        from.ask("SET", key, "kept");
      }
      RedisClusterNode to = cluster.holderOf(0);
      assertThat(to).isNotSameAs(from);
      cluster.moveSlots(SLOT - 2, SLOT, to);
      cluster.awaitReady();
      assertThat(cluster.holderOf(SLOT)).isSameAs(to);
      assertThat(to.ask("GET", "{a}2")).isEqualTo("kept");

      cluster.kill(to);
      RedisClusterNode heir = cluster.awaitFailover(SLOT, to);
      assertThat(heir).isNotSameAs(to);
      assertThat(heir.ask("GET", "{a}1")).isEqualTo("kept");

      cluster.restart(to);
      cluster.awaitReady();
      assertThat(to.primary()).isFalse();
      assertThat(cluster.replicasOf(heir)).containsExactly(to);
    }
  }
}
