package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
class RabbitServiceTest {
  @Test
  void killedServerComesBackOnItsPortsAndLeavesNoProcess() throws Exception {
    RabbitService rabbit = RabbitService.start();
    ProcessHandle first = rabbit.process();
    try (rabbit) {
      assertThat(rabbit.url()).isEqualTo("amqp://guest:guest@127.0.0.1:" + rabbit.port() + "/%2f");
      assertThat(first.info().command().orElse("")).contains("beam");
      rabbit.kill();
      assertThat(first.isAlive()).isFalse();
      rabbit.restart();
      for (int port : new int[] {rabbit.port(), rabbit.streamPort()}) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          assertThat(socket.isConnected()).isTrue();
        }
      }
    }
    assertThat(rabbit.process().isAlive()).isFalse();
  }
}
