package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.idempotency.spi.Store;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerInfoTest {
  private static final String SERVER = "Redis at localhost:6379";

  private static ServerInfo info(String version, String policy) {
    return ServerInfo.parse(
        "# Server\r\nredis_version:%s\r\nredis_mode:standalone\r\n\r\n# Memory\r\nmaxmemory_policy:%s\r\n"
            .formatted(version, policy));
  }

  @Test
  void versionsFrom7OnAreTaken() {
    for (String version : List.of("7.0.0", "7.0.15", "7.4", "8.0.1", "10.0.0", "7.2.4-rc1")) {
      assertThatCode(() -> info(version, "noeviction").check(SERVER, false, false))
          .as(version)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void roomIsKnownWhereMemoryHasALimit() {
    assertThat(ServerInfo.parse("used_memory:300\r\nmaxmemory:400\r\n").room())
        .contains(new Store.Room(300, 400));
    for (String without : List.of("used_memory:300\nmaxmemory:0\n", "used_memory:1\n", "")) {
      assertThat(ServerInfo.parse(without).room()).as(without).isEmpty();
    }
  }

  @Test
  void olderOrUnreadableVersionsAreRefusedWithWhatToDo() {
    for (String version : List.of("6.2.14", "2.8", "5", "", "seven", "unknown")) {
      assertThatThrownBy(() -> info(version, "noeviction").check(SERVER, false, false))
          .as(version)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(SERVER)
          .hasMessageContaining("use Redis 7.0 or newer");
    }
  }

  @Test
  void everyPolicyThatEvictsIsRefusedUnlessAllowed() {
    for (String policy : List.of("allkeys-lru", "volatile-lru", "volatile-ttl", "allkeys-random")) {
      ServerInfo info = info("7.0.15", policy);
      assertThatThrownBy(() -> info.check(SERVER, false, false))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(policy)
          .hasMessageContaining("a live claim could vanish")
          .hasMessageContaining("Set maxmemory-policy to noeviction")
          .hasMessageContaining("eviction=allow");
      assertThatCode(() -> info.check(SERVER, false, true)).doesNotThrowAnyException();
    }
  }

  @Test
  void policyThatIsNotShownIsNotTrusted() {
    ServerInfo info = ServerInfo.parse("redis_version:7.0.15\n");
    assertThatThrownBy(() -> info.check(SERVER, false, false)).hasMessageContaining("unknown");
  }

  @Test
  void nodeOfAClusterIsRefused() {
    ServerInfo info =
        ServerInfo.parse("redis_version:7.0.15\nredis_mode:cluster\nmaxmemory_policy:noeviction\n");
    assertThatThrownBy(() -> info.check(SERVER, false, false)).hasMessageContaining("cluster");
  }
}
