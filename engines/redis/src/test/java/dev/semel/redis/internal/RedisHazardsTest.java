package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisHazardsTest {
  private static final String SAFE =
      "maxmemory_policy:noeviction\nevicted_keys:0\naof_enabled:1\nconnected_slaves:0\nrun_id:0123456789\n";

  private static List<String> hazards(String info, Map<String, String> settings, boolean waits) {
    return new RedisHazards("Redis at h:1", ServerInfo.parse(info), settings).sentences(waits);
  }

  @Test
  void serverThatWritesEveryAnswerToItsDiskHasNone() {
    assertThat(hazards(SAFE, Map.of("appendfsync", "always", "save", ""), false)).isEmpty();
  }

  @Test
  void evictionNamesThePolicyAndWhatItCostSoFar() {
    String info = SAFE.replace("noeviction", "allkeys-lru").replace("keys:0", "keys:7");
    assertThat(hazards(info, Map.of(), false))
        .singleElement()
        .asString()
        .contains("allkeys-lru", "7 evicted", "set maxmemory-policy to noeviction");
  }

  @Test
  void serverWithoutADiskNamesItsRunSoThatARestartShows() {
    String info = SAFE.replace("aof_enabled:1", "aof_enabled:0");
    assertThat(hazards(info, Map.of("save", ""), false))
        .singleElement()
        .asString()
        .contains("keeps nothing on disk", "01234567)", "set appendonly to yes");
    assertThat(hazards(info, Map.of("save", "3600 1"), false))
        .singleElement()
        .asString()
        .contains("snapshots", "01234567)");
  }

  @Test
  void lastSecondIsAtRiskUnlessEveryWriteIsForced() {
    assertThat(hazards(SAFE, Map.of("appendfsync", "everysec"), false))
        .singleElement()
        .asString()
        .contains("appendfsync everysec");
  }

  @Test
  void replicasAreAHazardOnlyToThoseWhoDoNotWaitForThem() {
    String info = SAFE.replace("connected_slaves:0", "connected_slaves:1");
    assertThat(hazards(info, Map.of(), false)).singleElement().asString().contains("wait=1");
    assertThat(hazards(info, Map.of(), true)).isEmpty();
  }
}
