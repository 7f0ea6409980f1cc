package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
class NatsServiceTest {
  @Test
  void sharedServerHasJetStreamAndIsNewEnough(NatsService nats) throws IOException {
    assertThat(nats.url()).isEqualTo("nats://127.0.0.1:" + nats.port());
    assertThat(greeting(nats)).contains("\"jetstream\":true");
    String version = greeting(nats).replaceFirst(".*\"version\":\"([0-9.]+)\".*", "v$1");
    assertThat(NatsBinary.newEnough(version)).as(version).isTrue();
  }

  @Test
  void ownLinesOverrideOurs() throws IOException {
    try (NatsService nats = NatsService.start("max_payload: 65536")) {
      assertThat(greeting(nats)).contains("\"max_payload\":65536");
    }
  }

  @Test
  void killedServerComesBackOnItsPort() throws IOException {
    try (NatsService nats = NatsService.start()) {
      ProcessHandle first = nats.process();
      int port = nats.port();
      nats.kill();
      assertThat(first.isAlive()).isFalse();
      nats.restart();
      assertThat(nats.port()).isEqualTo(port);
      nats.stop();
      nats.restart();
      assertThat(greeting(nats)).contains("jetstream");
    }
  }

  @Test
  void closedServerLeavesNoProcess() {
    NatsService nats = NatsService.start();
    ProcessHandle process = nats.process();
    nats.close();
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void serverThatCannotStartSaysWhyInItsOwnWords() {
    assertThatThrownBy(() -> NatsService.start("no_such_option: 1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NATS did not start")
        .hasMessageContaining("no_such_option");
  }

  private static String greeting(NatsService nats) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), nats.port());
        BufferedReader answer =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      return Objects.requireNonNull(answer.readLine());
    }
  }
}
