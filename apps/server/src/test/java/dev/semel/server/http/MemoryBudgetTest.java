package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import dev.semel.junit.Patience;
import dev.semel.server.TightConnection;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
  private static final int PIECE = 10;
  private static final int MAX = 45;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final AtomicLong nanos = new AtomicLong();
  private final MemoryBudget budget = new MemoryBudget(MAX, nanos::get);
  private final List<String> cut = new CopyOnWriteArrayList<>();
  private final List<String> went = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whatIsTakenIsWithinTheLimit() {
    assertThat(budget.take(MAX)).isTrue();
    assertThat(budget.take(1)).isFalse();
    assertThat(budget.full()).isTrue();
    budget.letGo(1);
    assertThat(budget.take(1)).isTrue();
    assertThat(budget.held()).isEqualTo(MAX);
    assertThatThrownBy(() -> new MemoryBudget(0)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void aPieceIsSmallerWhileMuchIsHeld() {
    assertThat(budget.pieceBytes()).isEqualTo(MemoryBudget.PIECE_BYTES);
    budget.add(MAX / 4 + 1);
    assertThat(budget.pieceBytes()).isEqualTo(MemoryBudget.SMALL_PIECE_BYTES);
  }

  /** A write to a connection that takes a piece when the test completes it. */
  private Promise<Void> write(String name) {
    Promise<Void> taken = Promise.promise();
    HttpServerResponse response =
        TightConnection.seen(
            HttpServerResponse.class,
            (method, arguments) ->
                switch (method.getName()) {
                  case "write" -> taken.future();
                  case "reset" -> {
                    cut.add(name);
                    yield null;
                  }
                  default -> null;
                });
    HttpServerRequest request =
        TightConnection.seen(
            HttpServerRequest.class,
            (method, arguments) ->
                switch (method.getName()) {
                  case "response" -> response;
                  case "version" -> HttpVersion.HTTP_2;
                  default -> null;
                });
    Promise<Boolean> atOnce = Promise.promise();
    loop.runOnContext(
        v ->
            atOnce.complete(
                new PacedResponse(budget, request)
                    .write(Buffer.buffer(new byte[PIECE]), () -> went.add(name))));
    assertThat(atOnce.future().await()).isFalse();
    return taken;
  }

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  @SuppressWarnings("try") // only closed
  void thoseAreCutThatTookNothingForTheLongestTime() {
    write("first");
    pass(1);
    write("second");
    pass(1);
    Promise<Void> third = write("third");
    pass(9);
    budget.relieve();
    assertThat(cut).as("less than three quarters are held").isEmpty();

    write("last");
    assertThat(budget.held()).isEqualTo(4 * PIECE);
    pass(1);
    List<Event> events = new CopyOnWriteArrayList<>();
    try (ProcessEvents.Listening listening = ProcessEvents.listen(events::add)) {
      budget.relieve();
    }
    assertThat(events).contains(new Event.CallersCut(2, 4 * PIECE, MAX));
    await().until(() -> cut.size() == 2);
    assertThat(cut).containsExactly("first", "second"); // then half is free, or will be
    assertThat(budget.cut()).isEqualTo(2);

    third.complete();
    await().until(() -> went.size() == 1);
    assertThat(went).containsExactly("third");
    assertThat(budget.held()).isEqualTo(3 * PIECE);
  }

  @Test
  void whenOthersAreRefusedNoStalledCallerIsWaitedForLong() {
    for (int i = 0; i < 4; i++) {
      write("caller " + i);
    }
    assertThat(budget.take(MAX - 4 * PIECE)).isTrue();
    pass(MemoryBudget.STALLED_WHEN_FULL.toSeconds());
    assertThat(budget.take(1)).isFalse();
    await().until(() -> cut.size() == 3);
    assertThat(budget.cut()).isEqualTo(3); // until half is free
  }

  @Test
  void nobodyIsCutWhoIsOnlySlow() {
    for (int i = 0; i < 4; i++) {
      write("caller " + i);
    }
    pass(MemoryBudget.STALLED.toSeconds() - 1);
    budget.relieve();
    assertThat(budget.cut()).isZero();
  }

  @Test
  void aCallerThatLeavesHoldsNothing() {
    Promise<Void> taken = write("gone");
    assertThat(budget.held()).isEqualTo(PIECE);
    taken.fail("closed");
    await().until(() -> budget.held() == 0);
    assertThat(went).isEmpty();
  }
}
