package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.metrics.Scraped;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metrics of a gateway's own work. */
class GatewayMetricsTest {
  @Test
  void howLongWorkChecksAndKeysTookAndHowLongAnswersAreKept() {
    try (Guarding guarding = Guarding.start()) {
      for (String key : List.of("one", "one", "other")) {
        assertThat(guarding.click("/charge", key).statusCode()).isLessThan(300);
      }
      assertThat(guarding.send("GET", "/charge", "").statusCode()).isPositive();
      Scraped scraped = Scraped.parse(guarding.send("GET", "/.semel/metrics", "").body());
      String http = "{operation=http}";
      assertThat(scraped.value("semel_execution_seconds_count", http)).isEqualTo(2);
      assertThat(scraped.value("semel_execution_seconds_sum", http)).isPositive();
      assertThat(scraped.value("semel_dedup_check_seconds_count", http)).isEqualTo(3);
      assertThat(scraped.value("semel_key_generation_seconds_count", http)).isEqualTo(3);
      assertThat(scraped.value("semel_ttl_seconds_count", http)).isEqualTo(2);
      assertThat(scraped.value("semel_http_connections", "{}")).isPositive();
    }
  }
}
