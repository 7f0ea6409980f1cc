package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamTest {
  @Test
  void addressesOfServicesAreRead() {
    assertThat(Upstream.parse("http://localhost:3000")).hasToString("http://localhost:3000");
    assertThat(Upstream.parse("HTTPS://service.example/").port()).isEqualTo(443);
    assertThat(Upstream.parse("http://[::1]:80").authority()).isEqualTo("[::1]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:3000",
        "ftp://localhost",
        "http://",
        "http://localhost:0",
        "http://localhost:65536",
        "http://localhost/path",
        "http://localhost?a",
        "http://a b"
      })
  void whatIsNoneIsRefused(String url) {
    assertThatThrownBy(() -> Upstream.parse(url))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("http://localhost:3000");
  }

  /** Whatever else is broken, no refusal of an address repeats its secrets. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://user:hunter2@localhost",
        "http://user:hunter2@localhost:0",
        "http://user:hunter2 @localhost",
        "http://user:hunter2@pa@localhost",
        "ftp://user:hunter2@localhost",
        "user:hunter2@localhost"
      })
  void aPasswordIsRefusedAndNotRepeated(String url) {
    assertThatThrownBy(() -> Upstream.parse(url))
        .isInstanceOf(InvalidInput.class)
        .hasMessageNotContaining("hunter2");
  }
}
