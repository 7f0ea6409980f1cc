package dev.semel.server.client;

import static dev.semel.server.client.ClientContract.beside;
import static dev.semel.server.client.ClientContract.refused;
import static dev.semel.server.client.ClientContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.FaultProxy;
import dev.semel.proof.fault.FaultProxy.Weather;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamRetention;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.OptimisticWriter;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamContended;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused;
import dev.semel.stream.client.StreamRefused.Reason;
import dev.semel.stream.spi.Streams;
import dev.semel.tck.ManualClock;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers that decide on what others wrote, and lose answers. */
@Tag("service")
class OptimisticWriterTest {
  private static final Duration IDLE = Duration.ofDays(7);

  private final ManualClock clock = new ManualClock();
  private final Streams streams =
      new MemoryStreams(
          clock,
          new StreamLimits(10, 100, 100_000, 1_000_000, 100, IDLE),
          StreamRetention.FOR_EVER);
  private final SemelServer server =
      SemelServer.start(AnyServer.settings(), ServerBackend.of(streams));
  private final FaultProxy proxy = FaultProxy.before(server.port());
  private final StreamClient direct = client(server.port());
  private final StreamClient faulty = client(proxy.port()).withTimeout(Duration.ofMillis(300));

  private static StreamClient client(int port) {
    return StreamClient.connect(URI.create("http://127.0.0.1:" + port));
  }

  @BeforeEach
  void create() {
    direct.stream("s").create(ContentType.JSON);
  }

  @AfterEach
  void stop() {
    direct.close();
    faulty.close();
    proxy.close();
    server.close();
    streams.close();
  }

  private static List<String> and(List<String> before, StreamChunk chunk) {
    List<String> all = new ArrayList<>(before);
    all.addAll(chunk.messages());
    return List.copyOf(all);
  }

  private static OptimisticWriter<List<String>> writer(DurableStream stream) {
    ReadOptions patient =
        ReadOptions.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(50));
    return new OptimisticWriter<>(
        stream, patient, OptimisticWriter.MAX_TRIES, List.of(), OptimisticWriterTest::and);
  }

  private List<String> all() {
    try (StreamReader reader = direct.stream("s").read(ReadOptions.defaults())) {
      List<String> all = List.of();
      for (Optional<StreamChunk> c = reader.next(); c.isPresent(); c = reader.next()) {
        all = and(all, c.get());
      }
      return all;
    }
  }

  private String tail() {
    return direct.stream("s").info().tail();
  }

  @Test
  void eachRoundOfTwelveWritersHasOneWinner() {
    int writers = 12;
    int rounds = 10;
    CyclicBarrier start = new CyclicBarrier(writers);
    List<CompletableFuture<Integer>> won = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      won.add(
          beside(
              () -> {
                int wins = 0;
                try (OptimisticWriter<List<String>> writer = writer(direct.stream("s"))) {
                  for (int round = 0; round < rounds; round++) {
                    start.await();
                    wins += writer.write(played(round)).isPresent() ? 1 : 0;
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                return wins;
              }));
    }
    int wins = won.stream().mapToInt(CompletableFuture::join).sum();
    assertThat(wins).isEqualTo(rounds);
    assertThat(all()).isEqualTo(IntStream.range(0, rounds).mapToObj(r -> "" + r).toList());
  }

  /** Writes the round's number unless another writer has. */
  private static Function<List<String>, Optional<byte[]>> played(int round) {
    return seen -> seen.size() > round ? Optional.empty() : Optional.of(utf8("" + round));
  }

  @Test
  void everyWriterGetsItsTurn() {
    List<CompletableFuture<Boolean>> done = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      done.add(
          beside(
              () -> {
                try (OptimisticWriter<List<String>> writer = writer(direct.stream("s"))) {
                  return IntStream.range(0, 5)
                      .allMatch(n -> writer.write(OptimisticWriterTest::count).isPresent());
                }
              }));
    }
    assertThat(done).allMatch(CompletableFuture::join);
    assertThat(all()).isEqualTo(IntStream.range(0, 30).mapToObj(r -> "" + r).toList());
  }

  private static Optional<byte[]> count(List<String> seen) {
    return Optional.of(utf8("" + seen.size()));
  }

  @Test
  void aLostAnswerIsNeitherWrittenTwiceNorAConflict() {
    AtomicInteger decisions = new AtomicInteger();
    try (OptimisticWriter<List<String>> writer = writer(faulty.stream("s"))) {
      writer.write(OptimisticWriterTest::count);
      String before = tail();
      CompletableFuture<String> other =
          beside(
              () -> {
                await().until(() -> !tail().equals(before));
                String own = tail();
                direct.stream("s").append(utf8("\"other\""));
                proxy.set(Weather.CLEAR);
                return own;
              });
      Optional<String> written =
          writer.write(
              seen -> {
                decisions.incrementAndGet();
                proxy.set(Weather.ANSWERS_LOST);
                return Optional.of(utf8("\"mine\""));
              });
      assertThat(written).contains(other.join());
      assertThat(decisions).hasValue(1);
      assertThat(all()).containsExactly("0", "\"mine\"", "\"other\"");
      // The next one is a separate batch.
      writer.write(OptimisticWriterTest::count);
      assertThat(all()).containsExactly("0", "\"mine\"", "\"other\"", "3");
    }
  }

  @Test
  void aLostRequestIsAConflictWhenSomeoneElseWasFaster() {
    AtomicInteger decisions = new AtomicInteger();
    try (OptimisticWriter<List<String>> writer = writer(faulty.stream("s"))) {
      Optional<String> written =
          writer.write(
              seen -> {
                if (decisions.incrementAndGet() == 1) {
                  proxy.set(Weather.CUT);
                  direct.stream("s").append(utf8("\"other\""));
                  CompletableFuture<Boolean> unused =
                      beside(
                          () -> {
                            Patience.pass(Duration.ofMillis(100));
                            proxy.set(Weather.CLEAR);
                            return true;
                          });
                }
                return count(seen);
              });
      assertThat(written).contains(tail());
      assertThat(decisions).hasValue(2);
      assertThat(all()).containsExactly("\"other\"", "1");
    }
  }

  @Test
  void whoGaveUpFindsOutByReading() {
    ReadOptions hasty = ReadOptions.defaults().withPatience(Duration.ofMillis(100));
    try (OptimisticWriter<List<String>> writer =
        new OptimisticWriter<>(
            faulty.stream("s").connect(), hasty, 5, List.of(), OptimisticWriterTest::and)) {
      assertThatThrownBy(
              () ->
                  writer.write(
                      seen -> {
                        proxy.set(Weather.ANSWERS_LOST);
                        return count(seen);
                      }))
          .isInstanceOf(StoreException.class)
          .isNotInstanceOf(StreamRefused.class)
          .hasMessageContaining("unknown");
      proxy.set(Weather.CLEAR);
      assertThat(writer.write(OptimisticWriterTest::count)).isPresent();
      assertThat(all()).containsExactly("0", "1");
    }
  }

  @Test
  void whoNeverWinsIsTold() {
    ReadOptions options = ReadOptions.defaults();
    try (OptimisticWriter<List<String>> writer =
        new OptimisticWriter<>(
            direct.stream("s"), options, 3, List.of(), OptimisticWriterTest::and)) {
      assertThatThrownBy(
              () ->
                  writer.write(
                      seen -> {
                        direct.stream("s").append(utf8("\"faster\""));
                        return count(seen);
                      }))
          .isInstanceOf(StreamContended.class)
          .hasMessageContaining("3 tries");
      assertThat(all()).hasSize(3).containsOnly("\"faster\"");
    }
  }

  @Test
  void aServerThatForgotTheProducerIsNoObstacle() {
    try (OptimisticWriter<List<String>> writer = writer(direct.stream("s"))) {
      writer.write(OptimisticWriterTest::count);
      clock.advance(IDLE.plusSeconds(1));
      streams.sweep().toCompletableFuture().join();
      writer.write(OptimisticWriterTest::count);
      assertThat(all()).containsExactly("0", "1");
    }
  }

  @Test
  void nothingToWriteAndAClosedStreamAreTold() {
    try (OptimisticWriter<List<String>> writer = writer(direct.stream("s"))) {
      assertThat(writer.write(seen -> Optional.empty())).isEmpty();
      direct.stream("s").closeStream(utf8("1"));
      refused(() -> writer.write(OptimisticWriterTest::count), Reason.CLOSED, 409);
      assertThat(writer.read()).containsExactly("1");
    }
  }

  @Test
  void aPlainAppendAtATailIsRefusedWhereTheTailHasMoved() {
    DurableStream stream = direct.stream("s");
    String empty = stream.info().tail();
    String first = stream.appendIf(empty, utf8("1"));
    assertThatThrownBy(() -> stream.appendIf(empty, utf8("2")))
        .isInstanceOfSatisfying(
            StreamRefused.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.TAIL_MOVED);
              assertThat(e.tail()).contains(first);
            });
  }
}
