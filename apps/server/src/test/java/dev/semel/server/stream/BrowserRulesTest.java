package dev.semel.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.ContentType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "text/plain; charset=utf-8",
        "application/cloudevents+json",
        "image/png",
        "video/mp4",
        "application/octet-stream"
      })
  void whatABrowserOnlyShowsMayBeShown(String type) {
    assertThat(BrowserRules.passive(ContentType.parse(type).media())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "TEXT/HTML;charset=utf-8",
        "image/svg+xml",
        "application/xhtml+xml",
        "text/xml",
        "application/pdf",
        "multipart/related",
        "text/javascript",
        "application/of-some-future-browser"
      })
  void whatItMightRunMayNot(String type) {
    assertThat(BrowserRules.passive(ContentType.parse(type).media())).isFalse();
  }
}
