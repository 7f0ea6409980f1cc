package dev.semel.stream;

import static dev.semel.stream.Fixture.PATH;
import static dev.semel.stream.Fixture.TEXT;
import static dev.semel.stream.Fixture.at;
import static dev.semel.stream.Fixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.junit.Patience;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WaitingTest {
  private final Fixture fixture = new Fixture();
  private final List<String> woken = new ArrayList<>();

  @BeforeEach
  void create() {
    fixture.create(TEXT);
    fixture.append(text("abc"));
  }

  private Streams.Waiting await(String name, long beyond) {
    return fixture.streams.await(PATH, at(beyond), () -> woken.add(name)).orElseThrow();
  }

  @Test
  void dataThatIsThereWakesAtOnce() {
    await("behind", 2);
    assertThat(woken).containsExactly("behind");
  }

  @Test
  void newDataWakesOnce() {
    await("a", 3);
    await("b", 3);
    assertThat(woken).isEmpty();
    fixture.append(text("d"));
    assertThat(woken).containsExactly("a", "b");
    fixture.append(text("e"));
    assertThat(woken).hasSize(2);
  }

  @Test
  void closingWakesAndAClosedStreamIsNotWaitedFor() {
    await("parked", 3);
    fixture.append(AppendRequest.closeOnly());
    await("late", 3);
    assertThat(woken).containsExactly("parked", "late");
  }

  @Test
  void theLastDataIsThereWhenTheEndWakes() {
    List<String> seen = new ArrayList<>();
    fixture.streams.await(
        PATH,
        at(3),
        () -> {
          DataSlice slice = fixture.slice(PATH, new ReadFrom.At(at(3)), 9);
          seen.add(Fixture.content(slice) + slice.closed());
        });
    fixture.append(text("end").closing());
    assertThat(seen).containsExactly("endtrue");
  }

  @Test
  void deletingWakesAndAMissingStreamIsNotWaitedFor() {
    await("parked", 3);
    fixture.delete(PATH);
    await("late", 3);
    assertThat(woken).containsExactly("parked", "late");
  }

  @Test
  void aReaderOfTheStreamBeforeIsNotWokenByTheOneAfter() {
    fixture.delete(PATH);
    fixture.create(TEXT);
    await("new", 0);
    assertThat(woken).isEmpty();
    fixture.append(text("x"));
    assertThat(woken).containsExactly("new");
  }

  @Test
  void whoCancelsIsNotWokenAndLeavesRoom() {
    Fixture small =
        new Fixture(new StreamLimits(9, 9, 9, 99, 1, Duration.ofDays(1)), StreamRetention.FOR_EVER);
    small.create(TEXT);
    Streams.Waiting first =
        small.streams.await(PATH, at(0), () -> woken.add("first")).orElseThrow();
    assertThat(small.streams.await(PATH, at(0), () -> woken.add("none"))).isEmpty();
    first.cancel();
    first.cancel();
    assertThat(small.streams.await(PATH, at(0), () -> woken.add("second"))).isPresent();
    assertThat(small.streams.await(PATH, at(0), () -> woken.add("none"))).isEmpty();
    small.append(text("x"));
    assertThat(woken).containsExactly("second");
    assertThat(small.streams.await(PATH, at(1), () -> woken.add("none"))).isPresent();
  }

  @Test
  void theAnswerComesBeforeReadersAreWoken() {
    await("reader", 3);
    fixture.streams.append(
        List.of(Fixture.submission(PATH, text("d"), answer -> woken.add("answer"))));
    assertThat(woken).containsExactly("answer", "reader");
  }

  @Test
  void oneThatFailsDoesNotKeepTheOthersWaiting() {
    await("reader", 3);
    Streams.Submission failing =
        Fixture.submission(
            PATH,
            text("d"),
            answer -> {
              throw new IllegalStateException("hung up");
            });
    Streams.Submission next = Fixture.submission(PATH, text("e"), answer -> woken.add("answer"));
    assertThatThrownBy(() -> fixture.streams.append(List.of(failing, next))).hasMessage("hung up");
    assertThat(woken).containsExactly("answer", "reader");
  }

  @Test
  void anAppendThatFoundTheWriterBusyIsTakenAlongEvenIfThatOneFails() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ThreadLocal<Boolean> slow = ThreadLocal.withInitial(() -> false);
    MemoryStreams streams =
        new MemoryStreams(
            () -> {
              if (slow.get()) {
                inside.countDown();
                awaitQuietly(goOn);
              }
              return Instant.EPOCH;
            });
    streams.create(CreateRequest.of(PATH, TEXT));
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> failing =
          threads.submit(
              () -> {
                slow.set(true);
                streams.fence(PATH, "p", false, -1);
              });
      inside.await();
      Future<StreamResult.ToAppend> append = streams.append(PATH, text("x")).toCompletableFuture();
      assertThat(append.isDone()).isFalse();
      goOn.countDown();
      assertThat(append.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(StreamResult.Appended.class);
      assertThatThrownBy(failing::get).hasCauseInstanceOf(InvalidInput.class);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Another writer's thread may be the one that answers. */
  private StreamResult.ToAppend appended(AppendRequest batch) {
    return fixture.streams.append(PATH, batch).toCompletableFuture().join();
  }

  @Test
  void eachBatchOfManyWritersIsThereOnce() throws Exception {
    int writers = 4;
    int batches = 500;
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String id = Integer.toString(w);
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  for (int seq = 0; seq < batches; seq++) {
                    AppendRequest batch = text(id).by(Fixture.tuple(id, 0, seq));
                    assertThat(appended(batch)).isInstanceOf(StreamResult.Appended.class);
                    assertThat(appended(batch)).isInstanceOf(StreamResult.Duplicate.class);
                  }
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> each : running) {
        each.get();
      }
    }
    String content = fixture.content();
    assertThat(content).hasSize(3 + writers * batches);
    assertThat(fixture.found(PATH).tail()).isEqualTo(at(3 + writers * batches));
    for (int w = 0; w < writers; w++) {
      String id = Integer.toString(w);
      assertThat(content.chars().filter(c -> c == id.charAt(0)).count()).isEqualTo(batches);
    }
  }
}
