package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.MemoryStore;
import dev.semel.junit.Patience;
import dev.semel.server.TightConnection;
import dev.semel.server.http.MemoryBudget;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A reader of live events, on a connection that could not be worse. */
class LiveReaderTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  /** Needs several writes. */
  private static final int EVENTS = 1000;

  @Test
  void nothingIsWrittenInTheMiddleOfAWrite() throws Exception {
    Vertx vertx = Vertx.vertx();
    MemoryStore store = new MemoryStore(InstantSource.system());
    try (LiveFeed feed = new LiveFeed(store.events())) {
      Context loop = vertx.getOrCreateContext();
      TightConnection connection = new TightConnection(loop);
      LiveReader.begin(
          feed, new AdminExchange(loop, request(connection.response()), new MemoryBudget(1 << 20)));
      await().until(() -> connection.written().contains(": live\n\n"));

      EventSink sink = new EventSink(store.events(), InstantSource.system(), key -> false);
      for (int i = 0; i < EVENTS; i++) {
        sink.on(new Event.Changed("ann", "tick", "target"));
        if ((i + 1) % EventSink.MAX_NOTABLE == 0) {
          sink.flush();
        }
      }
      sink.flush();
      await().until(() -> numbers(connection).size() >= EVENTS);
      assertThat(connection.torn()).isFalse();
      assertThat(numbers(connection))
          .isEqualTo(IntStream.rangeClosed(1, EVENTS).mapToObj(Integer::toString).toList());
    } finally {
      vertx.close().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** It arrives while the server stops, so that no other code releases it. */
  @Test
  void whoComesWhenTheFeedHasEndedIsLetGo() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      AtomicBoolean ended = new AtomicBoolean();
      HttpServerResponse response =
          TightConnection.seen(
              HttpServerResponse.class,
              (method, arguments) ->
                  switch (method.getName()) {
                    case "end" -> {
                      ended.set(true);
                      yield null;
                    }
                    case "closed", "headWritten", "writeQueueFull" -> false;
                    case "ended" -> ended.get();
                    default -> null;
                  });
      LiveFeed feed = new LiveFeed(new MemoryStore(InstantSource.system()).events());
      feed.close();
      LiveReader.begin(
          feed,
          new AdminExchange(
              vertx.getOrCreateContext(), request(response), new MemoryBudget(1 << 20)));
      await().untilTrue(ended);
    } finally {
      vertx.close().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static HttpServerRequest request(HttpServerResponse response) {
    return TightConnection.seen(
        HttpServerRequest.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "response" -> response;
              case "headers" -> MultiMap.caseInsensitiveMultiMap();
              default -> null;
            });
  }

  /** Numbers of all events, in the order of their arrival. */
  private static List<String> numbers(TightConnection connection) {
    return connection.written().stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("data: "))
        .map(line -> line.replaceAll(".*\"number\":(\\d+).*", "$1"))
        .toList();
  }
}
