package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
class RedisServiceTest {
  @Test
  void sharedServerIsAppendOnlyAndNeverEvicts(RedisService redis) throws IOException {
    assertThat(redis.url()).isEqualTo("redis://127.0.0.1:" + redis.port());
    assertThat(ask(redis, "INFO server")).contains("redis_version:" + RedisBinary.VERSION);
    assertThat(ask(redis, "INFO memory")).contains("maxmemory_policy:noeviction");
    assertThat(ask(redis, "INFO persistence")).contains("aof_enabled:1");
  }

  @Test
  void sameServerIsGivenToEveryTest(RedisService one, RedisService other) {
    assertThat(one).isSameAs(other);
  }

  @Test
  void ownArgumentsOverrideOurs() throws IOException {
    try (RedisService redis = RedisService.start("--maxmemory-policy", "allkeys-lru")) {
      assertThat(ask(redis, "INFO memory")).contains("maxmemory_policy:allkeys-lru");
    }
  }

  @Test
  void killedServerComesBackWithItsData() throws IOException {
    try (RedisService redis = RedisService.start("--appendfsync", "always")) {
      ask(redis, "SET kept yes");
      ProcessHandle first = redis.process();
      redis.kill();
      assertThat(first.isAlive()).isFalse();
      redis.restart();
      assertThat(ask(redis, "GET kept")).contains("yes");
    }
  }

  @Test
  void closedServerLeavesNoProcess() {
    RedisService redis = RedisService.start();
    ProcessHandle process = redis.process();
    redis.close();
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void serverThatCannotStartSaysWhyInItsOwnWords() {
    assertThatThrownBy(() -> RedisService.start("--no-such-option", "1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Redis did not start")
        .hasMessageContaining("no-such-option");
  }

  /** Sends one command in Redis's inline form; QUIT marks the end of the answer. */
  private static String ask(RedisService redis, String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port());
        BufferedReader answer =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      socket
          .getOutputStream()
          .write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.US_ASCII));
      return String.join("\n", answer.lines().toList());
    }
  }
}
