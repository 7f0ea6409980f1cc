package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UpstreamClientTest {
  /** An execution that gets its key while the gateway stops must learn it, to release the key. */
  @Test
  void onceItIsClosedNothingIsSentAndThatIsSaid() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      UpstreamClient service =
          new UpstreamClient(vertx, GatewaySettings.to(Upstream.parse("http://127.0.0.1:1")));
      service.close().await(30, TimeUnit.SECONDS);
      assertThat(
              service
                  .connect(HttpMethod.POST, "/charge", MultiMap.caseInsensitiveMultiMap())
                  .failed())
          .isTrue();
    } finally {
      vertx.close().await(30, TimeUnit.SECONDS);
    }
  }
}
