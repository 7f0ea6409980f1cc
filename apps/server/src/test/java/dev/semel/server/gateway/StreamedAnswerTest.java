package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.Patience;
import dev.semel.server.TightConnection;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Pieces of an answer, on a connection that could not be worse. */
class StreamedAnswerTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final List<String> PIECES = List.of("a", "b", "c", "d", "e", "f");

  /** A service that has its pieces ready, and delivers them as soon as it may. */
  private static final class Ready {
    private final Queue<String> left = new ArrayDeque<>(PIECES);
    private final StreamedAnswer streamed;
    private boolean paused;

    Ready(TightConnection connection) {
      HttpClientResponse from =
          TightConnection.seen(
              HttpClientResponse.class,
              (method, arguments) -> {
                if (method.getName().equals("pause")) {
                  paused = true;
                } else if (method.getName().equals("resume")) {
                  go();
                }
                return null;
              });
      streamed = new StreamedAnswer(connection.response(), from, true);
    }

    void go() {
      paused = false;
      while (!paused && !left.isEmpty()) {
        streamed.piece(Buffer.buffer(left.remove()));
      }
    }
  }

  @Test
  void nothingIsWrittenInTheMiddleOfAPiece() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Context loop = vertx.getOrCreateContext();
      TightConnection connection = new TightConnection(loop);
      loop.runOnContext(v -> new Ready(connection).go());
      await().until(() -> connection.written().size() >= PIECES.size());
      assertThat(connection.torn()).isFalse();
      assertThat(connection.written()).isEqualTo(PIECES);
    } finally {
      vertx.close().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
