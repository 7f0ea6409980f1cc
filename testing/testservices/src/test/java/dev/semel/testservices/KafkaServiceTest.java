package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("service")
class KafkaServiceTest {
  @Test
  @Tag("proof")
  void killedServerComesBackOnItsPortAndAClosedOneIsGone() {
    KafkaService kafka = KafkaService.start();
    ProcessHandle first = kafka.process();
    int port = kafka.port();
    kafka.kill();
    assertThat(first.isAlive()).isFalse();
    kafka.restart();
    assertThat(kafka.port()).isEqualTo(port);
    assertThat(kafka.url()).isEqualTo("kafka://127.0.0.1:" + port);
    ProcessHandle second = kafka.process();
    kafka.close();
    assertThat(second.isAlive()).isFalse();
  }

  @Test
  void serverThatCannotStartSaysWhyInItsOwnWords() {
    assertThatThrownBy(() -> KafkaService.start("num.io.threads=none"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Kafka did not start")
        .hasMessageContaining("num.io.threads");
  }
}
