package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.Patience;
import dev.semel.stream.FaultyLog.Fate;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.LogFull;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.SharedLog;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several engines on one log, and what goes wrong between them and it. */
final class SharedStreamsTest {
  private static final StreamPath PATH = new StreamPath("orders");
  private static final ContentType TEXT = ContentType.parse("text/plain");

  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final FaultyLog log = new FaultyLog(() -> now);
  private final List<SharedStreams> opened = new ArrayList<>();

  private SharedStreams open() {
    return open(log.view());
  }

  private SharedStreams open(SharedLog view) {
    SharedStreams streams = SharedStreams.open(view, StreamLimits.defaults());
    opened.add(streams);
    return streams;
  }

  @AfterEach
  void close() {
    opened.forEach(SharedStreams::close);
  }

  private static <A> A get(CompletionStage<A> stage) {
    try {
      return stage.toCompletableFuture().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** For longer than any test takes, or until the log is healed. */
  private static Fate[] lost() {
    Fate[] lost = new Fate[1_000];
    Arrays.fill(lost, Fate.LOST);
    return lost;
  }

  private static Fate[] full() {
    Fate[] full = new Fate[1_000];
    Arrays.fill(full, Fate.FULL);
    return full;
  }

  private static AppendRequest text(String text) {
    return AppendRequest.of(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static StreamResult.ToCreate create(Streams streams, StreamPath path) {
    return get(streams.create(CreateRequest.of(path, TEXT)));
  }

  private static String all(Streams streams, StreamPath path) {
    return switch (get(streams.read(path, new ReadFrom.Start(), 1 << 20))) {
      case StreamResult.Data d -> new String(d.slice().body(), StandardCharsets.UTF_8);
      case StreamResult.InFile f -> throw new AssertionError(f);
      case StreamResult.Missing m -> "missing";
      case StreamResult.Gone g -> "gone";
      case StreamResult.Malformed m -> "malformed";
      case StreamResult.BelowHorizon b -> "below";
    };
  }

  @Test
  void anAppendWhoseAnswerIsLostIsThereOnceAndIsAnswered() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, Fate.ANSWER_LOST);
    assertThat(get(streams.append(PATH, text("a")))).isInstanceOf(StreamResult.Appended.class);
    assertThat(all(streams, PATH)).isEqualTo("a");
  }

  @Test
  void anAppendThatIsLostIsSentAgain() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, Fate.LOST, Fate.LOST);
    assertThat(get(streams.append(PATH, text("a")))).isInstanceOf(StreamResult.Appended.class);
    assertThat(all(streams, PATH)).isEqualTo("a");
    assertThat(log.puts()).isEqualTo(4);
  }

  @Test
  void anAppendThatComesInLateIsNotThereTwice() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, Fate.LATE);
    CompletionStage<StreamResult.ToAppend> answer = streams.append(PATH, text("a"));
    await().until(log::hasLate);
    get(answer); // sent again, and taken
    log.arriveLate();
    assertThat(all(streams, PATH)).isEqualTo("a");
  }

  @Test
  void beingClosedIsNoFailure() {
    SharedStreams streams = open();
    create(streams, PATH);
    streams.close();
    assertThat(streams.failed().toCompletableFuture()).isNotDone();
    assertThatThrownBy(() -> streams.append(PATH, text("a")).toCompletableFuture().join())
        .hasMessageContaining("closed");
  }

  @Test
  void aFullLogIsToldAtOnceAndNothingIsThere() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, Fate.FULL, Fate.TAKEN, Fate.FULL);
    assertThat(get(streams.append(PATH, text("a")))).isInstanceOf(StreamResult.NoRoom.class);
    assertThat(get(streams.append(PATH, text("b")))).isInstanceOf(StreamResult.Appended.class);
    assertThatThrownBy(() -> streams.delete(PATH).toCompletableFuture().join())
        .hasCauseInstanceOf(LogFull.class);
    assertThat(all(streams, PATH)).isEqualTo("b");
  }

  @Test
  void aFullLogCanBeRead() {
    SharedStreams streams = open();
    CreateRequest idle = CreateRequest.of(PATH, TEXT).withExpiry(new StreamExpiry.Idle(100));
    get(streams.create(idle.withBody("a".getBytes(StandardCharsets.UTF_8))));
    now = now.plusSeconds(50);
    log.next(PATH, full());
    assertThat(all(streams, PATH)).isEqualTo("a");
  }

  /** It may be what filled the log. */
  @Test
  void anAppendThatMayStillComeIsNotSaidToHaveFoundNoRoom() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, Fate.LATE, Fate.FULL);
    log.next(PATH, full());
    CompletionStage<StreamResult.ToAppend> answer = streams.append(PATH, text("a"));
    await().until(() -> log.puts() >= 4);
    assertThat(answer.toCompletableFuture()).isNotDone();
    log.arriveLate();
    assertThat(get(answer)).isInstanceOf(StreamResult.Appended.class);
    assertThat(all(streams, PATH)).isEqualTo("a");
  }

  @Test
  void anAppendWhoseAnswerIsLostWhileItsEngineLagsIsNotDecidedAnew() {
    FaultyLog.View view = log.view();
    SharedStreams streams = open(view);
    create(streams, PATH);
    view.lag();
    log.next(PATH, Fate.ANSWER_LOST);
    CompletionStage<StreamResult.ToAppend> answer = streams.append(PATH, text("a"));
    await().until(() -> log.puts() >= 3); // the same again: refused
    view.resume();
    assertThat(get(answer)).isInstanceOf(StreamResult.Appended.class);
    assertThat(all(streams, PATH)).isEqualTo("a");
  }

  @Test
  void oneOfTwoWritersThatKnowTheSameTailWins() {
    SharedStreams first = open();
    FaultyLog.View view = log.view();
    SharedStreams second = open(view);
    create(first, PATH);
    view.lag();
    get(first.append(PATH, text("a").ifMatch(Offset.ZERO)));
    CompletionStage<StreamResult.ToAppend> late =
        second.append(PATH, text("b").ifMatch(Offset.ZERO));
    view.resume();
    assertThat(get(late)).isEqualTo(new StreamResult.TailMoved(new Offset(1)));
    assertThat(all(second, PATH)).isEqualTo("a");
  }

  @Test
  void whatIsRefusedIsRefusedByWhatAllKnow() {
    SharedStreams first = open();
    FaultyLog.View view = log.view();
    SharedStreams second = open(view);
    view.lag();
    create(first, PATH);
    StreamResult.ToAppend written = get(first.append(PATH, text("a")));
    Offset tail = ((StreamResult.Appended) written).next();
    CompletionStage<StreamResult.ToAppend> append = second.append(PATH, text("b").ifMatch(tail));
    CompletionStage<StreamResult.ToHead> head = second.head(PATH);
    assertThat(head.toCompletableFuture()).isNotDone();
    view.resume();
    assertThat(get(append)).isInstanceOf(StreamResult.Appended.class);
    assertThat(get(head)).isInstanceOf(StreamResult.Found.class);
    assertThat(all(first, PATH)).isEqualTo("ab");
  }

  @Test
  void appendsThatWaitedGoInOneMessage() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, lost()); // so that it is under way for a while
    CompletionStage<StreamResult.ToAppend> first = streams.append(PATH, text("a"));
    List<CompletionStage<StreamResult.ToAppend>> waiting = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiting.add(
          streams.append(PATH, text("b").by(new ProducerTuple("p", 0, i)))); // each needs the last
    }
    log.healed();
    get(first);
    for (CompletionStage<StreamResult.ToAppend> each : waiting) {
      assertThat(get(each)).isInstanceOf(StreamResult.Appended.class);
    }
    // The stream, the first, and the others; or those with the first, which was sent again.
    assertThat(log.stored()).isBetween(2, 3);
    assertThat(all(streams, PATH)).isEqualTo("a" + "b".repeat(50));
  }

  @Test
  void anotherChangeKeepsItsPlaceBetweenAppendsThatWait() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, lost()); // so that it is under way for a while
    CompletionStage<StreamResult.ToAppend> first = streams.append(PATH, text("a"));
    CompletionStage<StreamResult.ToAppend> before = streams.append(PATH, text("b"));
    CompletionStage<StreamResult.ToDelete> deleted = streams.delete(PATH);
    CompletionStage<StreamResult.ToAppend> behind = streams.append(PATH, text("c"));
    log.healed();
    assertThat(get(first)).isInstanceOf(StreamResult.Appended.class);
    assertThat(get(before)).isInstanceOf(StreamResult.Appended.class);
    assertThat(get(deleted)).isInstanceOf(StreamResult.Deleted.class);
    assertThat(get(behind)).isInstanceOf(StreamResult.Missing.class);
  }

  @Test
  void aProducerIsKnownToEveryEngineAndToOneThatStartsLater() {
    SharedStreams first = open();
    create(first, PATH);
    get(first.append(PATH, text("a").by(new ProducerTuple("p", 0, 0))));
    for (SharedStreams each : List.of(first, open(), open())) {
      assertThat(get(each.append(PATH, text("a").by(new ProducerTuple("p", 0, 0)))))
          .isInstanceOf(StreamResult.Duplicate.class);
    }
    assertThat(all(open(), PATH)).isEqualTo("a");
  }

  @Test
  void twoEnginesCreateOneStream() {
    SharedStreams first = open();
    FaultyLog.View view = log.view();
    SharedStreams second = open(view);
    view.lag();
    CompletionStage<StreamResult.ToCreate> mine = first.create(CreateRequest.of(PATH, TEXT));
    CompletionStage<StreamResult.ToCreate> yours = second.create(CreateRequest.of(PATH, TEXT));
    get(mine);
    view.resume();
    assertThat(List.of(get(mine).getClass(), get(yours).getClass()))
        .containsExactlyInAnyOrder(StreamResult.Created.class, StreamResult.Existed.class);
  }

  @Test
  void aPathIsUsedAgainAndNothingOfTheOldStreamComesBack() {
    SharedStreams first = open();
    for (int i = 0; i < 5; i++) {
      create(first, PATH);
      get(first.append(PATH, text("old" + i)));
      assertThat(get(first.delete(PATH))).isInstanceOf(StreamResult.Deleted.class);
    }
    create(first, PATH);
    get(first.append(PATH, text("new")));
    assertThat(all(first, PATH)).isEqualTo("new");
    SharedStreams later = open(); // what was dropped is not there for it
    assertThat(all(later, PATH)).isEqualTo("new");
    assertThat(get(later.append(PATH, text("er")))).isInstanceOf(StreamResult.Appended.class);
    assertThat(all(first, PATH)).isEqualTo("newer");
  }

  @Test
  void anAppendToAStreamThatWasDeletedElsewhereIsNotAnswered() {
    SharedStreams first = open();
    FaultyLog.View view = log.view();
    SharedStreams second = open(view);
    create(first, PATH);
    view.lag();
    get(first.delete(PATH));
    create(first, PATH);
    CompletionStage<StreamResult.ToAppend> append = second.append(PATH, text("a"));
    view.resume();
    assertThat(get(append)).isInstanceOf(StreamResult.Appended.class); // to the new one
    assertThat(all(first, PATH)).isEqualTo("a");
  }

  @Test
  void aForkReadsItsSourceFromTheLogAndKeepsIt() {
    StreamPath fork = new StreamPath("fork");
    SharedStreams first = open();
    create(first, PATH);
    get(first.append(PATH, text("abcd")));
    get(first.append(PATH, text("efgh")));
    CreateRequest request =
        CreateRequest.fork(fork, new StreamFork(PATH, Optional.of(new Offset(4)), 2));
    assertThat(get(first.create(request))).isInstanceOf(StreamResult.Created.class);
    get(first.append(fork, text("!")));
    get(first.delete(PATH));
    SharedStreams later = open();
    assertThat(all(later, fork)).isEqualTo("abcdef!");
    assertThat(all(later, PATH)).isEqualTo("gone");
    get(later.delete(fork));
    assertThat(all(first, PATH)).isEqualTo("missing");
    assertThat(create(later, PATH)).isInstanceOf(StreamResult.Created.class);
  }

  @Test
  void aForkWhoseSourceWasDeletedMeanwhileIsNotMade() {
    StreamPath fork = new StreamPath("fork");
    SharedStreams first = open();
    FaultyLog.View view = log.view();
    SharedStreams second = open(view);
    create(first, PATH);
    log.next(fork, Fate.LATE); // decided while the source was there, and under way ever since
    log.next(fork, lost());
    CompletionStage<StreamResult.ToCreate> answer =
        second.create(CreateRequest.fork(fork, new StreamFork(PATH, Optional.empty(), 0)));
    await().until(log::hasLate);
    view.lag();
    get(first.delete(PATH));
    log.arriveLate();
    log.healed();
    view.resume();
    assertThat(get(answer)).isInstanceOf(StreamResult.SourceMissing.class);
    assertThat(all(first, fork)).isEqualTo("missing");
    assertThat(all(open(), fork)).isEqualTo("missing");
  }

  @Test
  void aReaderIsWokenByWhatAnotherEngineWrites() {
    SharedStreams first = open();
    SharedStreams second = open();
    create(first, PATH);
    AtomicInteger woken = new AtomicInteger();
    get(second.head(PATH));
    assertThat(second.await(PATH, Offset.ZERO, woken::incrementAndGet)).isPresent();
    assertThat(woken).hasValue(0);
    get(first.append(PATH, text("a")));
    await().until(() -> woken.get() == 1);
  }

  @Test
  void anIdleWindowThatOneEngineBeganAnewHoldsForAll() {
    SharedStreams first = open();
    SharedStreams second = open();
    get(first.create(CreateRequest.of(PATH, TEXT).withExpiry(new StreamExpiry.Idle(100))));
    now = now.plusSeconds(90);
    assertThat(all(first, PATH)).isEmpty(); // read, so not idle
    now = now.plusSeconds(90);
    assertThat(get(second.sweep())).isZero();
    assertThat(all(second, PATH)).isEmpty();
    now = now.plusSeconds(101);
    assertThat(all(first, PATH)).isEqualTo("missing");
    int ended = get(first.sweep()) + get(second.sweep());
    assertThat(ended).isEqualTo(1);
    assertThat(create(second, PATH)).isInstanceOf(StreamResult.Created.class);
  }

  @Test
  void moreIdleProducersThanFitIntoAMessageAreForgottenInTurn() {
    SharedStreams streams = open();
    create(streams, PATH);
    List<CompletionStage<StreamResult.ToAppend>> sent = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      ProducerTuple first = new ProducerTuple("%04d".formatted(i) + "p".repeat(250), 0, 0);
      sent.add(streams.append(PATH, text("x").by(first)));
    }
    sent.forEach(each -> assertThat(get(each)).isInstanceOf(StreamResult.Appended.class));
    now = now.plus(Duration.ofDays(8));
    int forgotten = 0;
    while (forgotten < sent.size()) {
      int more = get(streams.sweep());
      assertThat(more).isPositive();
      forgotten += more;
    }
    assertThat(get(streams.producers(PATH))).isEmpty();
  }

  @Test
  void oneThatFailsDoesNotKeepTheOthersWaiting() {
    SharedStreams streams = open();
    create(streams, PATH);
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    Runnable failing =
        () -> {
          throw new IllegalStateException("hung up");
        };
    assertThat(streams.await(PATH, Offset.ZERO, failing)).isPresent();
    assertThat(streams.await(PATH, Offset.ZERO, () -> woken.complete(true))).isPresent();
    CompletableFuture<StreamResult.ToAppend> second = new CompletableFuture<>();
    streams.append(
        List.of(
            Fixture.submission(PATH, text("a"), answer -> failing.run()),
            Fixture.submission(PATH, text("b"), second::complete)));
    assertThat(get(second)).isInstanceOf(StreamResult.Appended.class);
    assertThat(get(woken)).isTrue();
    assertThat(get(streams.append(PATH, text("c")))).isInstanceOf(StreamResult.Appended.class);
    assertThat(all(streams, PATH)).isEqualTo("abc");
  }

  @Test
  void whatIsLargerThanAMessageIsRefusedAndTheOthersAreNot() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, Fate.LOST);
    CompletionStage<StreamResult.ToAppend> first = streams.append(PATH, text("a"));
    CompletionStage<StreamResult.ToAppend> large = streams.append(PATH, text("x".repeat(70_000)));
    List<CompletionStage<StreamResult.ToAppend>> half = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      half.add(streams.append(PATH, text("y".repeat(40_000))));
    }
    assertThat(get(first)).isInstanceOf(StreamResult.Appended.class);
    assertThat(get(large)).isInstanceOf(StreamResult.TooLarge.class);
    half.forEach(each -> assertThat(get(each)).isInstanceOf(StreamResult.Appended.class));
    assertThat(all(streams, PATH)).hasSize(160_001);
  }

  @Test
  void whoWaitsWhenTheStreamsAreClosedIsTold() {
    SharedStreams streams = open();
    create(streams, PATH);
    log.next(PATH, lost());
    CompletableFuture<StreamResult.ToAppend> answer =
        streams.append(PATH, text("a")).toCompletableFuture();
    streams.close();
    await().until(answer::isDone);
    assertThat(answer).isCompletedExceptionally();
  }

  @Test
  void whoStartsFromACheckpointKnowsAllAndReadsOnlyTheRest() {
    StreamPath fork = new StreamPath("fork");
    SharedStreams first = open();
    create(first, PATH);
    get(first.append(PATH, text("abc").by(new ProducerTuple("p", 3, 0)).withSeq("s1")));
    get(
        first.create(
            CreateRequest.fork(fork, new StreamFork(PATH, Optional.of(new Offset(0)), 2))));
    get(first.append(fork, text("!").by(new AppendSender.Managed("m", OptionalLong.empty(), 0))));
    get(first.delete(PATH));
    first.leaveCheckpoint(1);
    get(first.append(fork, text("?")));
    FaultyLog.View view = log.view();
    SharedStreams later = open(view);
    assertThat(view.delivered()).isEqualTo(1);
    assertThat(all(later, fork)).isEqualTo("ab!?");
    assertThat(all(later, PATH)).isEqualTo("gone");
    assertThat(get(later.producers(fork))).isEqualTo(get(first.producers(fork))).hasSize(1);
    assertThat(get(later.append(fork, text("!").closing())))
        .isInstanceOf(StreamResult.Appended.class);
    assertThat(all(first, fork)).isEqualTo("ab!?!");
    get(later.delete(fork)); // takes its source along, whose data only it needed
    assertThat(create(later, PATH)).isInstanceOf(StreamResult.Created.class);
    assertThat(all(first, PATH)).isEmpty();
  }

  @Test
  void aCheckpointOfAnotherVersionIsLeftAlone() {
    SharedStreams first = open();
    create(first, PATH);
    get(first.append(PATH, text("a")));
    first.leaveCheckpoint(1);
    FaultyLog.View view = log.view();
    SharedLog.Checkpoint left = view.checkpoint().orElseThrow();
    byte[] later = left.state().clone();
    later[0]++;
    view.leave(new SharedLog.Checkpoint(left.sequence(), later));
    assertThat(all(open(view), PATH)).isEqualTo("a");
    assertThat(view.delivered()).isEqualTo(2);
  }

  /** Streams come, fork and go; some engines lag meanwhile, and data of the ended is dropped. */
  @Test
  void howeverTheLogWasReadItAmountsToTheSame() {
    RandomGenerator random = new Random(20_261_117);
    SharedStreams first = open();
    FaultyLog.View view = log.view();
    SharedStreams lagging = open(view);
    for (int i = 0; i < 700; i++) {
      StreamPath path = new StreamPath("p" + random.nextInt(5));
      int producer = random.nextInt(3);
      switch (random.nextInt(10)) {
        case 0 -> get(first.delete(path));
        case 1 -> create(first, path);
        case 2 ->
            get(
                first.create(
                    CreateRequest.fork(
                        path,
                        new StreamFork(
                            new StreamPath("p" + random.nextInt(5)), Optional.empty(), 0))));
        case 3 -> get(first.append(path, AppendRequest.closeOnly()));
        default ->
            get(first.append(path, text("x" + i).by(new ProducerTuple("p" + producer, i, 0))));
      }
      if (i % 50 == 20) {
        first.leaveCheckpoint(1);
      }
      if (i % 70 == 0) {
        view.lag();
      } else if (i % 70 == 60) {
        view.resume();
      }
    }
    SharedStreams fromCheckpoint = open();
    log.forgetCheckpoint();
    SharedStreams fromStart = open();
    view.resume();
    get(lagging.head(PATH));
    assertThat(lagging.table()).isEqualTo(first.table());
    assertThat(log.dropped()).isPositive();
    assertThat(fromCheckpoint.table()).isEqualTo(first.table()).isEqualTo(fromStart.table());
    assertThat(first.table().size()).isPositive();
  }
}
