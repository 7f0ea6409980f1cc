package dev.semel.server.admin;

import static org.awaitility.Awaitility.await;

import dev.semel.event.spi.EventStore;
import dev.semel.server.TightConnection;
import dev.semel.server.http.MemoryBudget;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The failing loop that reads events for the page is reported. */
final class LiveLoopTest {
  @Test
  void aLogThatCanNotBeReadIsTold() throws Exception {
    Vertx vertx = Vertx.vertx();
    EventStore log = Broken.of(EventStore.class, Map.of("end", () -> "0"));
    LoopWatch watch = LoopWatch.of("semel-live");
    try (LiveFeed feed = new LiveFeed(log)) {
      Context loop = vertx.getOrCreateContext();
      TightConnection connection = new TightConnection(loop);
      HttpServerRequest follower =
          TightConnection.seen(
              HttpServerRequest.class,
              (method, arguments) ->
                  switch (method.getName()) {
                    case "response" -> connection.response();
                    case "headers" -> MultiMap.caseInsensitiveMultiMap();
                    default -> null;
                  });
      LiveReader.begin(feed, new AdminExchange(loop, follower, new MemoryBudget(1 << 20)));
      await().untilAsserted(watch::assertTold);
    } finally {
      vertx.close().await();
    }
  }
}
