package dev.semel.alert.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How full this machine's own disks are. */
class DiskUsageTest {
  @TempDir Path folder;

  @Test
  void twoThingsOnOneDiskAreOne() {
    DiskUsage disks = new DiskUsage(Map.of("store", folder, "journal", folder));
    assertThat(disks.get()).containsOnlyKeys("journal+store");
    assertThat(disks.get().values()).allMatch(room -> room.share() >= 0 && room.share() <= 1);
  }

  @Test
  void whatIsNotThereYetIsLeftOut() {
    DiskUsage disks = new DiskUsage(Map.of("store", folder, "journal", folder.resolve("none")));
    assertThat(disks.get()).containsOnlyKeys("store");
  }
}
