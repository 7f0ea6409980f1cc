package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileDescriptorsTest {
  @Test
  void allSharesTogetherAreNoMoreThanIsFree() {
    for (long max : new long[] {20, 64, 256, 1024, 65_536, 1_048_576, Integer.MAX_VALUE}) {
      for (long open : new long[] {0, 19, 80, 300}) {
        FileDescriptors some = new FileDescriptors(max, open);
        long free = Math.max(0, max - open);
        int upstream = some.upstream(256);
        long all = some.reserve() + upstream + some.connections(upstream);
        assertThat(all).as("%s", some).isLessThanOrEqualTo(Math.max(2, free));
        assertThat(some.files(512)).isBetween(1, 512);
      }
    }
  }

  @Test
  void mostAreForConnections() {
    assertThat(new FileDescriptors(256, 80).connections(0)).isEqualTo(256 - 80 - 64 - 16);
    assertThat(new FileDescriptors(256, 80).upstream(256)).isEqualTo(56);
    assertThat(new FileDescriptors(1024, 24).connections(256)).isEqualTo(750 - 256 - 16);
    assertThat(new FileDescriptors(1 << 20, 80).connections(0)).isGreaterThan(700_000);
  }

  @Test
  void thisProcessHasSome() {
    FileDescriptors now = FileDescriptors.now();
    assertThat(now.max()).isGreaterThan(now.open());
    assertThat(now.open()).isNotNegative();
  }
}
