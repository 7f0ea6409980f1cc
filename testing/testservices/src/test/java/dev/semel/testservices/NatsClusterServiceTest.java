package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("service")
class NatsClusterServiceTest {
  @Test
  void threeServersAreOneAndOneOfThemComesBack() {
    NatsClusterService cluster = NatsClusterService.start();
    ProcessHandle process = cluster.node("n2").process();
    try (cluster) {
      assertThat(cluster.urls().split(",")).hasSize(3).doesNotHaveDuplicates();
      cluster.node("n2").kill();
      cluster.node("n2").restart();
      cluster.awaitReady();
      process = cluster.node("n2").process();
      assertThat(process.isAlive()).isTrue();
      assertThatThrownBy(() -> cluster.node("n4")).hasMessageContaining("n4");
    }
    assertThat(process.isAlive()).isFalse();
  }
}
