package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.tck.Racers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Of many simultaneous requests, one runs. */
abstract class ManyClicks extends HttpWords {
  private static final int CLICKS = 200;
  private static final Duration LONG_WAIT = Duration.ofSeconds(30);

  private static List<HttpResponse<byte[]>> clickManyTimes(HttpFront front, ClickedRequest click) {
    return Racers.onVirtualThreads(CLICKS, i -> send(front, click));
  }

  @Test
  void whereClicksWaitOneRunsAndAllGetItsAnswer() {
    try (HttpFront front = start(with(ExecutionPolicy.defaults().withWaitUpTo(LONG_WAIT)))) {
      List<HttpResponse<byte[]>> answers = clickManyTimes(front, click().header("X-Wait", "300"));
      assertThat(executions(front, "/charge")).isEqualTo(1);
      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(201);
                assertThat(text(answer)).isEqualTo(text(answers.get(0)));
                assertThat(header(answer, "Location")).isEqualTo("/charge/1");
              });
      assertThat(answers).filteredOn(HttpWords::isReplay).hasSize(CLICKS - 1);
      assertThat(answers)
          .filteredOn(a -> a.headers().firstValue("Set-Cookie").isPresent())
          .hasSize(1);
    }
  }

  @Test
  void whereTheyDoNotWaitOneRunsAndTheRestAreToldToComeAgain() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click().header("X-Gate", "g");
      AtomicInteger answered = new AtomicInteger();
      List<HttpResponse<byte[]>> answers =
          Racers.onVirtualThreads(
              CLICKS,
              i -> {
                HttpResponse<byte[]> answer = send(front, click);
                if (answered.incrementAndGet() == CLICKS - 1) {
                  open(front, "g"); // all but the running one
                }
                return answer;
              });
      assertThat(executions(front, "/charge")).isEqualTo(1);
      assertThat(answers)
          .filteredOn(answer -> answer.statusCode() == 201 && !isReplay(answer))
          .hasSize(1);
      assertThat(answers)
          .filteredOn(answer -> answer.statusCode() != 201)
          .hasSize(CLICKS - 1)
          .allSatisfy(HttpWords::assertInFlight);
    }
  }

  @Test
  void manyKeysAtOnceRunOnceEach() {
    int keys = 20;
    try (HttpFront front = start(with(ExecutionPolicy.defaults().withWaitUpTo(LONG_WAIT)))) {
      List<ClickedRequest> clicks = Stream.generate(HttpWords::click).limit(keys).toList();
      List<HttpResponse<byte[]>> answers =
          Racers.onVirtualThreads(CLICKS, i -> send(front, clicks.get(i % keys)));
      assertThat(executions(front, "/charge")).isEqualTo(keys);
      for (int i = keys; i < CLICKS; i++) {
        assertThat(text(answers.get(i))).isEqualTo(text(answers.get(i % keys)));
      }
    }
  }

  @Test
  void whileTheFirstIsAtWorkTheSecondIsToldSoAtOnce() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click().header("X-Gate", "g");
      CompletableFuture<HttpResponse<byte[]>> first = sendLater(front, click);
      eventuallyExecuting(front, "/charge");
      HttpResponse<byte[]> second = send(front, click);
      assertInFlight(second);
      assertThat(header(second, HttpHeader.KEY)).isNotEmpty();
      open(front, "g");
      assertExecuted(get(first), 201);
      assertReplays(get(first), send(front, click));
      assertThat(executions(front, "/charge")).isEqualTo(1);
    }
  }

  @Test
  void whoWaitsTooLongIsToldSo() {
    try (HttpFront front =
        start(with(ExecutionPolicy.defaults().withWaitUpTo(Duration.ofMillis(50))))) {
      ClickedRequest click = click().header("X-Gate", "g");
      CompletableFuture<HttpResponse<byte[]>> first = sendLater(front, click);
      eventuallyExecuting(front, "/charge");
      assertInFlight(send(front, click));
      open(front, "g");
      assertExecuted(get(first), 201);
    }
  }

  /** The claim has the fingerprint, so a mismatch is known before the first request ends. */
  @Test
  void anotherRequestWithTheKeyIsAMismatchWhileTheFirstIsAtWork() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click().header("X-Gate", "g");
      CompletableFuture<HttpResponse<byte[]>> first = sendLater(front, click);
      eventuallyExecuting(front, "/charge");
      assertRefused(send(front, click.body("{\"amount\":11}")), HttpRefusal.MISMATCH, 422);
      open(front, "g");
      assertExecuted(get(first), 201);
      assertThat(executions(front, "/charge")).isEqualTo(1);
    }
  }
}
