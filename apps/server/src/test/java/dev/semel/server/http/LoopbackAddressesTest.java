package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopbackAddressesTest {
  @Test
  void hostHeadersThatMeanThisMachine() {
    for (String own :
        new String[] {
          "localhost",
          "LOCALHOST:80",
          "app.localhost:1",
          "127.0.0.1",
          "127.1.2.3:4437",
          "[::1]:1",
          "[::1]"
        }) {
      assertThat(LoopbackAddresses.names(own)).as(own).isTrue();
    }
    for (String other :
        new String[] {
          "",
          "evil.example",
          "localhost.evil.example",
          "127.0.0.1.evil.example",
          "128.0.0.1",
          "[::2]",
          "notlocalhost",
          "127.0.0.1@evil.example",
          "[::1].evil.example",
          "1270.0.1"
        }) {
      assertThat(LoopbackAddresses.names(other)).as(other).isFalse();
    }
  }

  @Test
  void addressesThatKeepOthersOut() {
    assertThat(LoopbackAddresses.isAddress("127.0.0.1")).isTrue();
    assertThat(LoopbackAddresses.isAddress("::1")).isTrue();
    assertThat(LoopbackAddresses.isAddress("0.0.0.0")).isFalse();
    assertThat(LoopbackAddresses.isAddress("192.0.2.1")).isFalse();
  }
}
