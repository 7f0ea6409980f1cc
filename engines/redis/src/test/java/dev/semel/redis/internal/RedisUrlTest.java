package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.StaticCredentialsProvider;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisUrlTest {
  @Test
  void bareHostMeansDefaultPortDatabaseAndTimeouts() {
    RedisUrl url = RedisUrl.parse("redis://localhost");
    assertThat(url.address()).isEqualTo("localhost:6379");
    assertThat(url.uri().getDatabase()).isZero();
    assertThat(url.uri().isSsl()).isFalse();
    assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(url.connectTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(url.evictionAllowed()).isFalse();
  }

  @Test
  void everyPartIsRead() {
    RedisUrl url =
        RedisUrl.parse("rediss://alice:s%40cr+et@my_redis:7000/3?timeout=250ms&eviction=allow");
    assertThat(url.address()).isEqualTo("my_redis:7000");
    assertThat(url.uri().isSsl()).isTrue();
    assertThat(url.uri().getDatabase()).isEqualTo(3);
    assertThat(url.timeout()).isEqualTo(Duration.ofMillis(250));
    assertThat(url.connectTimeout()).isEqualTo(Duration.ofMillis(250));
    assertThat(url.evictionAllowed()).isTrue();
    RedisCredentials credentials = credentials(url);
    assertThat(credentials.getUsername()).isEqualTo("alice");
    assertThat(new String(credentials.getPassword())).isEqualTo("s@cr+et");
  }

  @Test
  void passwordNeedsNoUser() {
    for (String url : List.of("redis://:secret@localhost", "redis://secret@localhost")) {
      RedisCredentials credentials = credentials(RedisUrl.parse(url));
      assertThat(credentials.getUsername()).isNull();
      assertThat(new String(credentials.getPassword())).isEqualTo("secret");
    }
  }

  @Test
  void addressOfTheNewProtocolIsReadInBrackets() {
    RedisUrl url = RedisUrl.parse("redis://[::1]:6380");
    assertThat(url.uri().getHost()).isEqualTo("::1");
    assertThat(url.uri().getPort()).isEqualTo(6380);
  }

  @Test
  void clusterNamesOneOrMoreOfItsNodes() {
    RedisUrl url =
        RedisUrl.parse(
            "redis-cluster://alice:secret@a:7000,[::1],c?wait=2&wait-timeout=300ms&timeout=1s");
    assertThat(url.cluster()).isTrue();
    assertThat(url.address()).isEqualTo("a:7000,::1:6379,c:6379");
    assertThat(url.options().waitReplicas()).isEqualTo(2);
    assertThat(url.options().waitTimeout()).isEqualTo(Duration.ofMillis(300));
    assertThat(url).hasToString("redis-cluster://a:7000,::1:6379,c:6379");
    assertThat(url.nodes())
        .allMatch(node -> node.getCredentialsProvider() instanceof StaticCredentialsProvider);
    assertThat(RedisUrl.parse("rediss-cluster://a").uri().isSsl()).isTrue();
    assertThat(RedisUrl.parse("redis://a").options().waitReplicas()).isZero();
  }

  @Test
  void textFormLeavesThePasswordOut() {
    assertThat(RedisUrl.parse("redis://alice:secret@localhost/1"))
        .hasToString("redis://localhost:6379/1");
  }

  @Test
  void whatIsNoUrlIsRefusedWithoutRepeatingIt() {
    for (String text :
        List.of(
            "localhost:6379",
            "redis:/secret",
            "redis://",
            "redis://alice:secret@",
            "redis://alice:sec/ret@localhost",
            "redis://alice:secret@localhost:port",
            "redis://alice:secret@localhost:0",
            "redis://alice:secret@localhost:99999",
            "redis://alice:secret@localhost/db",
            "redis://alice:secret%4@localhost",
            "redis://alice:secret@one,two",
            "redis-cluster://alice:secret@one,",
            "redis-cluster://alice:secret@one/1",
            "redis-clusters://alice:secret@one",
            "postgresql://alice:secret@localhost")) {
      assertThatThrownBy(() -> RedisUrl.parse(text))
          .as(text)
          .isInstanceOf(InvalidInput.class)
          .hasMessageNotContaining("sec");
    }
  }

  @Test
  void unknownOptionsAndWrongTimeoutsAreRefused() {
    for (String options :
        List.of(
            "timeout=0s",
            "timeout=5",
            "timeout=2h",
            "timeout=61s",
            "evict=allow",
            "eviction=deny",
            "wait=10",
            "wait=-1",
            "wait=",
            "wait=1&wait-timeout=5s",
            "wait-timeout=x",
            "x",
            "")) {
      String url = "redis://localhost?timeout=5s&" + options;
      assertThatThrownBy(() -> RedisUrl.parse(url)).as(url).isInstanceOf(InvalidInput.class);
    }
  }

  private static RedisCredentials credentials(RedisUrl url) {
    return ((StaticCredentialsProvider) url.uri().getCredentialsProvider()).resolveCredentialsNow();
  }
}
