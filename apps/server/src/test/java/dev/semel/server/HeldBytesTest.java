package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import dev.semel.server.crash.StalledCallers;
import dev.semel.server.stream.StreamHttpSettings;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Answers to callers at the limit of held bytes. */
final class HeldBytesTest {
  private static final int HELD = 100_000;

  private static Served served() {
    return Served.with(
        Served.settings()
            .withServing(StreamHttpSettings.defaults().withMaxBodyBytes(HELD).withHeldBytes(HELD)));
  }

  private static String begun(String more) {
    return "POST /v1/stream/s HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
        + "Content-Length: 90000\r\n"
        + more
        + "\r\n"
        + "x".repeat(60_000);
  }

  @Test
  void bodiesBeyondItAreRefusedUntilThereIsRoomAgain() throws Exception {
    try (Served served = served()) {
      assertThat(served.put("s", Served.TEXT, "").statusCode()).isEqualTo(201);
      try (RawClient first = new RawClient(served.server.port())) {
        assertThat(first.send(begun(""))).isTrue();
        // Waits until the body has come that far; a faster one could take the room and have it
        // refused.
        await().until(() -> served.server.budget().held() >= 60_000);
        HttpResponse<String> refused = served.post("s", Served.TEXT, "y".repeat(90_000));
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(Served.header(refused, "Retry-After")).isEqualTo("1");
        assertThat(refused.body()).contains("held-bytes", "100000 bytes");
        assertThat(served.post("s", Served.TEXT, "small").statusCode()).isEqualTo(204);
        assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
      }
      await().until(() -> served.post("s", Served.TEXT, "y".repeat(90_000)).statusCode() == 204);
    }
  }

  @Test
  void anAnswerBeyondItIsRefusedAsAWhole() {
    try (Served served = served()) {
      assertThat(served.put("s", Served.TEXT, "x".repeat(90_000)).statusCode()).isEqualTo(201);
      assertThat(served.post("s", Served.TEXT, "x".repeat(90_000)).statusCode()).isEqualTo(204);
      HttpResponse<String> refused = served.get("/v1/stream/s");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("held-bytes");
      assertThat(refused.headers().firstValue("Stream-Next-Offset")).isEmpty();
      assertThat(refused.headers().firstValue("ETag")).isEmpty();
      HttpResponse<String> part = served.get("/v1/stream/s?offset=-1&live=long-poll");
      assertThat(part.statusCode()).isEqualTo(200);
      assertThat(part.body()).hasSize(64 << 10);
    }
  }

  @Test
  @SuppressWarnings("try") // only closed
  void callersThatAreCutAreAnEvent() throws Exception {
    List<Event> events = new CopyOnWriteArrayList<>();
    try (ProcessEvents.Listening listening = ProcessEvents.listen(events::add);
        Served served = served()) {
      assertThat(served.put("s", Served.TEXT, "").statusCode()).isEqualTo(201);
      for (int i = 0; i < 300; i++) {
        assertThat(served.post("s", Served.TEXT, "x\n".repeat(HELD / 3)).statusCode())
            .isEqualTo(204);
      }
      try (StalledCallers stalled = new StalledCallers(served.server.port())) {
        await()
            .until(
                () -> {
                  // Adds readers until the held bytes leave no room for the next body.
                  stalled.ask(get("s?offset=-1&live=sse"), 1);
                  int unused = served.post("s", Served.TEXT, "y".repeat(HELD)).statusCode();
                  return events.stream().anyMatch(HeldBytesTest::cutHere);
                });
      }
    }
  }

  /** Servers of other tests may cut callers too. */
  private static boolean cutHere(Event event) {
    return event instanceof Event.CallersCut cut
        && cut.limitBytes() == HELD
        && cut.heldBytes() > HELD / 4 * 3
        && cut.callers() > 0;
  }

  /** Nothing is held for a caller that has left, however it left. */
  @Test
  void whoeverLeavesHoldsNothing() throws Exception {
    try (Served served = Served.with(Served.settings())) {
      String json = "application/json";
      assertThat(served.put("s", Served.TEXT, "").statusCode()).isEqualTo(201);
      assertThat(served.put("long", json, "").statusCode()).isEqualTo(201);
      for (int i = 0; i < 8; i++) {
        assertThat(served.post("s", Served.TEXT, "x\n".repeat(1 << 20)).statusCode())
            .isEqualTo(204);
      }
      String message = "\"" + "x".repeat(12 << 20) + "\"";
      assertThat(served.post("long", json, message).statusCode()).isEqualTo(204);
      assertThat(served.post("long", json, "[" + message).statusCode()).isEqualTo(400);
      await().until(() -> served.server.budget().held() == 0);

      try (StalledCallers stalled = new StalledCallers(served.server.port())) {
        stalled.ask(get("s?offset=-1"), 2);
        stalled.ask(get("s?offset=-1&live=sse"), 2);
        stalled.ask(get("s?offset=-1&live=long-poll"), 1);
        stalled.ask(get("long?offset=-1"), 1);
        stalled.ask(get("long?offset=-1&live=sse"), 2);
        stalled.ask(get("long?offset=-1&live=sse") + get("s?offset=-1").repeat(20), 1);
        assertThat(stalled.answered()).isEqualTo(9);
        stalled.ask(begun("Transfer-Encoding: chunked\r\n"), 1); // refused
        stalled.ask(begun(""), 1);
        await().until(() -> served.server.budget().held() > 2L * message.length());
      }
      await().until(() -> served.server.budget().held() == 0);
      assertThat(served.get("/v1/stream/long").body()).hasSize(message.length() + 2);
      await().until(() -> served.server.budget().held() == 0);
    }
  }

  private static String get(String stream) {
    return "GET /v1/stream/%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(stream);
  }
}
