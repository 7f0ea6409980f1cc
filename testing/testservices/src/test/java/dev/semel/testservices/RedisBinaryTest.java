package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisBinaryTest {
  @Test
  void machinesAreNamedAsTheJarNamesThem() {
    assertThat(RedisBinary.of("Linux", "amd64").resource()).endsWith("7.0.15-linux-amd64");
    assertThat(RedisBinary.of("Linux", "aarch64").resource()).endsWith("7.0.15-linux-arm64");
    assertThat(RedisBinary.of("Mac OS X", "aarch64").resource()).endsWith("7.0.15-darwin-arm64");
    assertThat(RedisBinary.of("Mac OS X", "x86_64").resource()).endsWith("7.0.15-darwin-amd64");
  }

  @Test
  void machineWithoutBinaryIsToldWhereToGo() {
    assertThatThrownBy(() -> RedisBinary.of("Windows 11", "amd64"))
        .hasMessageContaining("no Redis binary for Windows 11 amd64")
        .hasMessageContaining("Linux or macOS");
  }
}
