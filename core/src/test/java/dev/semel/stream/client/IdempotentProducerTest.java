package dev.semel.stream.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.loop.LoopFailures;
import dev.semel.loop.Platform;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.HeldCourier.Letter;
import dev.semel.stream.client.internal.BatchRequest;
import dev.semel.stream.client.internal.BatchResult;
import dev.semel.stream.client.internal.EngineBatchTransport;
import dev.semel.stream.internal.HeaderDigits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdempotentProducerTest {
  private static final ContentType TEXT = ContentType.parse("text/plain");

  /** Each message is a batch of its own. */
  private static final ProducerSettings SINGLY =
      ProducerSettings.defaults().withEpoch(7).withMaxBatchBytes(1);

  private final HeldCourier courier = new HeldCourier(TEXT);

  private IdempotentProducer open(ProducerSettings settings) {
    return open(courier, TEXT, settings, ProducerListener.NONE);
  }

  private static IdempotentProducer open(
      HeldCourier courier, ContentType type, ProducerSettings settings, ProducerListener listener) {
    return IdempotentProducer.open(Platform.REAL, courier.line(), type, "p", settings, listener);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ProducerException failure(CompletableFuture<ProducerAck> future) throws Exception {
    ExecutionException e =
        catchThrowableOfType(
            ExecutionException.class,
            () -> future.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
    return (ProducerException) Objects.requireNonNull(e.getCause());
  }

  @Test
  void messagesOfABatchAreOneRequestAndEachIsAcknowledged() throws Exception {
    List<ProducerAck> heard = Collections.synchronizedList(new ArrayList<>());
    ProducerListener listener =
        new ProducerListener() {
          @Override
          public void acknowledged(ProducerAck ack) {
            heard.add(ack);
          }
        };
    IdempotentProducer producer =
        open(
            courier,
            TEXT,
            ProducerSettings.defaults().withEpoch(7).withLinger(Duration.ofHours(1)),
            listener);
    CompletableFuture<ProducerAck> first = producer.appendAsync(bytes("a"));
    producer.append("b");
    CompletableFuture<ProducerAck> third = producer.appendAsync(bytes("c"));
    assertThat(producer.pendingCount()).isEqualTo(3);
    assertThat(courier.quiet()).as("it lingers").isTrue();
    courier.automatic();
    producer.flush();
    assertThat(courier.text()).isEqualTo("abc");
    assertThat(first.get()).isEqualTo(third.get());
    assertThat(first.get().messages()).isEqualTo(3);
    assertThat(first.get().next()).isPresent();
    assertThat(producer.pendingCount()).isZero();
    producer.close();
    assertThat(heard).containsExactly(first.get());
  }

  @Test
  void jsonMessagesBecomeAnArrayAndAnArrayStaysOneMessage() {
    HeldCourier json = new HeldCourier(ContentType.JSON).automatic();
    IdempotentProducer producer =
        open(
            json,
            ContentType.JSON,
            ProducerSettings.defaults().withLinger(Duration.ofHours(1)),
            ProducerListener.NONE);
    producer.append("{\"n\":1}");
    producer.append("[2,3]");
    assertThatThrownBy(() -> producer.append("{\"n\":")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> producer.append("")).isInstanceOf(InvalidInput.class);
    producer.close();
    assertThat(json.text()).isEqualTo("[{\"n\":1},[2,3]]");
  }

  @Test
  void aClaimAsksWithWhatCanNeverBeTakenAndGoesBeyondWhatIsThere() {
    for (int life = 0; life < 3; life++) {
      IdempotentProducer producer = open(ProducerSettings.defaults());
      Letter question = courier.next();
      assertThat(question.parcel.seq()).isEqualTo(HeaderDigits.MAX);
      long before = question.deliver() instanceof BatchResult.Stale s ? s.current() : 0;
      producer.append("life " + life + ";");
      Letter first = courier.next();
      assertThat(first.parcel.seq()).isZero();
      assertThat(first.parcel.epoch()).isGreaterThan(before);
      first.deliver();
      assertThat(producer.epoch()).hasValue(first.parcel.epoch());
      producer.close();
    }
    assertThat(courier.text()).isEqualTo("life 0;life 1;life 2;");
  }

  @Test
  void fiveAreUnderWayOnceTheServerKnowsTheEpoch() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    for (int i = 0; i < 8; i++) {
      producer.append("m" + i);
    }
    Letter first = courier.next();
    assertThat(courier.quiet()).as("a new epoch begins with one").isTrue();
    first.deliver();
    List<Letter> letters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      letters.add(courier.next());
    }
    assertThat(courier.quiet()).isTrue();
    assertThat(producer.inFlightCount()).isEqualTo(5);
    courier.automatic();
    letters.forEach(Letter::deliver);
    producer.close();
    assertThat(courier.text()).isEqualTo("m0m1m2m3m4m5m6m7");
  }

  @Test
  void whatOvertookOthersIsSentAgainInOrder() {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    courier.next().deliver();
    for (String each : List.of("b", "c", "d", "e")) {
      producer.append(each);
    }
    List<Letter> letters = List.of(courier.next(), courier.next(), courier.next(), courier.next());
    assertThat(letters.get(3).deliver()).isInstanceOf(BatchResult.Gap.class);
    assertThat(letters.get(2).deliver()).isInstanceOf(BatchResult.Gap.class);
    courier.automatic();
    letters.get(0).deliver();
    letters.get(1).deliver();
    producer.close();
    assertThat(courier.text()).isEqualTo("abcde");
  }

  /** The answer that it came too early arrives when those before it are there. */
  @Test
  void anOldGapIsNoGap() {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    courier.next().deliver();
    producer.append("b");
    producer.append("c");
    Letter b = courier.next();
    Letter c = courier.next();
    BatchResult early = c.arrive();
    b.deliver();
    producer.append("d");
    courier.next().lose();
    c.answer(early);
    courier.automatic();
    producer.close();
    assertThat(courier.text()).isEqualTo("abcd");
  }

  @Test
  void aLostAnswerIsNotASecondMessage() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    CompletableFuture<ProducerAck> a = producer.appendAsync(bytes("a"));
    courier.next().loseAnswer();
    courier.automatic();
    assertThat(a.get().seq()).isZero();
    producer.append("b");
    producer.close();
    assertThat(courier.text()).isEqualTo("ab");
  }

  @Test
  void whatALaterBatchProvesNeedsNoAnswer() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    courier.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    CompletableFuture<ProducerAck> c = producer.appendAsync(bytes("c"));
    Letter lost = courier.next();
    Letter proof = courier.next();
    lost.arrive();
    proof.deliver();
    assertThat(c.get().next()).isPresent();
    assertThat(b.get().next()).isEmpty();
    lost.lose();
    producer.close();
    assertThat(courier.text()).isEqualTo("abc");
  }

  @Test
  void whoIsFencedStopsAndSaysWhatIsNotThere() throws Exception {
    IdempotentProducer old = open(SINGLY);
    old.append("a");
    courier.next().deliver();
    CompletableFuture<ProducerAck> b = old.appendAsync(bytes("b"));
    CompletableFuture<ProducerAck> c = old.appendAsync(bytes("c"));
    Letter held = courier.next();
    courier.next().lose();
    courier.automatic();
    try (IdempotentProducer next = open(ProducerSettings.defaults())) {
      next.append("X");
    }
    held.deliver();
    ProducerException.Fenced fenced = (ProducerException.Fenced) failure(b);
    assertThat(fenced.currentEpoch()).isGreaterThan(7);
    FailedBatch batch = fenced.batch().orElseThrow();
    assertThat(batch.messages()).containsExactly(bytes("b"));
    assertThat(batch.seq()).isEqualTo(1);
    assertThat(batch.inDoubt()).isFalse();
    assertThat(failure(c).batch().orElseThrow().inDoubt()).isTrue();
    assertThatThrownBy(() -> old.append("d")).isInstanceOf(ProducerException.Fenced.class);
    assertThatThrownBy(old::close)
        .isInstanceOf(ProducerException.Fenced.class)
        .hasMessageContaining("not in the stream");
    assertThat(courier.text()).isEqualTo("aX");
  }

  @Test
  void whoClaimsAnewSendsOnlyWhatIsSurelyNotThere() throws Exception {
    IdempotentProducer producer = open(SINGLY.withClaimsAfterFencing(true));
    producer.append("a");
    courier.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    CompletableFuture<ProducerAck> c = producer.appendAsync(bytes("c"));
    Letter inDoubt = courier.next();
    Letter refused = courier.next();
    inDoubt.arrive();
    new EngineBatchTransport(courier.streams, HeldCourier.PATH, TEXT)
        .send(new BatchRequest("p", 900, 0, bytes("X"), false), r -> {});
    inDoubt.lose();
    courier.automatic();
    refused.deliver();
    assertThat(failure(b).batch().orElseThrow().inDoubt()).isTrue();
    assertThat(c.get().epoch()).isGreaterThan(900);
    assertThatThrownBy(producer::close).isInstanceOf(ProducerException.Fenced.class);
    assertThat(courier.text()).isEqualTo("abXc");
  }

  @Test
  void anotherOneInTheSameEpochIsNoticed() throws Exception {
    courier.automatic();
    try (IdempotentProducer first = open(SINGLY)) {
      first.append("a");
    }
    IdempotentProducer second = open(SINGLY);
    CompletableFuture<ProducerAck> b = second.appendAsync(bytes("b"));
    ProducerException taken = failure(b);
    assertThat(taken).isInstanceOf(ProducerException.EpochTaken.class);
    assertThat(taken.batch().orElseThrow().inDoubt()).isFalse();
    assertThatThrownBy(second::close).isInstanceOf(ProducerException.EpochTaken.class);
    assertThat(courier.text()).isEqualTo("a");
  }

  @Test
  void aServerThatForgotIsAGap() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    courier.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    courier.next().answer(new BatchResult.Gap(0));
    ProducerException.SequenceGap gap = (ProducerException.SequenceGap) failure(b);
    assertThat(gap.expected()).isZero();
    assertThat(gap.batch().orElseThrow().messages()).containsExactly(bytes("b"));
    assertThatThrownBy(producer::close).isInstanceOf(ProducerException.SequenceGap.class);
  }

  @Test
  void aRefusedBatchFailsAloneAndTheOthersGoOnUnderAnotherEpoch() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    courier.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    producer.append("c");
    Letter refused = courier.next();
    Letter behind = courier.next();
    refused.answer(new BatchResult.Refused(413, "too large", true));
    courier.automatic();
    behind.deliver();
    assertThat(((ProducerException.Refused) failure(b)).status()).isEqualTo(413);
    assertThatThrownBy(producer::flush).isInstanceOf(ProducerException.Refused.class);
    producer.append("d");
    producer.close();
    assertThat(producer.epoch().orElseThrow()).isGreaterThan(7);
    assertThat(courier.text()).isEqualTo("acd");
  }

  @Test
  void aLifeGoesOnBehindWhatTheServerHas() {
    courier.automatic();
    try (IdempotentProducer first = open(SINGLY)) {
      first.append("a");
      first.append("b");
    }
    try (IdempotentProducer same = open(SINGLY.withResumedEpoch(7))) {
      same.append("c");
      same.flush();
      assertThat(same.firstSequence()).isEqualTo(2);
      assertThat(same.epoch()).hasValue(7);
    }
    try (IdempotentProducer higher = open(SINGLY.withResumedEpoch(9))) {
      higher.append("d");
      higher.flush();
      assertThat(higher.firstSequence()).isZero();
    }
    IdempotentProducer fenced = open(SINGLY.withResumedEpoch(7));
    assertThatThrownBy(
            () -> {
              fenced.append("e");
              fenced.flush();
            })
        .isInstanceOf(ProducerException.Fenced.class);
    assertThat(courier.text()).isEqualTo("abcd");
  }

  @Test
  void whoAppendsTooMuchWaitsAndThenHearsOfIt() throws Exception {
    IdempotentProducer producer = open(SINGLY.withMaxPending(20, Duration.ofMillis(100)));
    producer.append("0123456789");
    assertThatThrownBy(() -> producer.append("0123456789"))
        .isInstanceOf(ProducerException.BufferFull.class);
    assertThatThrownBy(() -> producer.append("more than may ever wait"))
        .isInstanceOf(InvalidInput.class);
    Letter first = courier.next();
    courier.automatic();
    first.deliver();
    producer.flush();
    producer.append("abcdefghij");
    producer.close();
    assertThat(courier.text()).isEqualTo("0123456789abcdefghij");
  }

  @Test
  void roomThatComesInTimeLetsTheMessageIn() throws Exception {
    IdempotentProducer producer = open(SINGLY.withMaxPending(20, Patience.LIMIT));
    producer.append("0123456789");
    Letter first = courier.next();
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(() -> producer.append("abcdefghij"));
    assertThat(courier.quiet()).isTrue();
    assertThat(second).isNotDone();
    courier.automatic();
    first.deliver();
    second.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    producer.close();
    assertThat(courier.text()).isEqualTo("0123456789abcdefghij");
  }

  @Test
  void whoCantReachTheServerGivesUpInTheEnd() throws Exception {
    IdempotentProducer producer =
        open(SINGLY.withTimeouts(Duration.ofSeconds(1), Duration.ofMillis(1)));
    courier.always(new BatchResult.NotYet(new StoreException("away"), Duration.ZERO));
    CompletableFuture<ProducerAck> a = producer.appendAsync(bytes("a"));
    ProducerException gaveUp = failure(a);
    assertThat(gaveUp).isInstanceOf(ProducerException.GaveUp.class).hasRootCauseMessage("away");
    assertThat(gaveUp.batch().orElseThrow().inDoubt()).isFalse();
  }

  @Test
  void theStreamIsClosedOnceBehindEverything() {
    courier.automatic();
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    assertThat(producer.closeStream(bytes("z"))).isPresent();
    assertThat(producer.closeStream()).as("again").isPresent();
    assertThatThrownBy(() -> producer.append("b"))
        .isInstanceOf(ProducerException.StreamClosed.class);
    producer.close();
    assertThat(courier.text()).isEqualTo("az");
    IdempotentProducer late = open(ProducerSettings.defaults());
    late.append("late");
    assertThatThrownBy(late::flush).isInstanceOf(ProducerException.StreamClosed.class);
  }

  @Test
  void aCloseThatFailedFailsAgain() {
    IdempotentProducer producer = open(SINGLY);
    courier.always(new BatchResult.Stale(9));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(producer::closeStream).isInstanceOf(ProducerException.Fenced.class);
    }
  }

  @Test
  void aCloseThatIsRefusedLeavesTheStreamOpen() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    courier.always(new BatchResult.Refused(413, "too large", true));
    assertThatThrownBy(() -> producer.closeStream(bytes("last")))
        .isInstanceOf(ProducerException.Refused.class);
    courier.automatic();
    producer.append("a");
    assertThat(producer.closeStream()).isPresent();
    assertThat(courier.text()).isEqualTo("a");
  }

  @Test
  void nothingLeavesAfterClose() throws Exception {
    courier.automatic();
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    producer.close();
    producer.close();
    assertThatThrownBy(() -> producer.append("b")).isInstanceOf(ProducerException.Closed.class);
    assertThat(courier.quiet()).isTrue();
    assertThat(courier.sentAfterClose).isFalse();
    assertThat(courier.text()).isEqualTo("a");
  }

  @Test
  void anInterruptedCloseEndsAtOnceAndSaysWhatIsInDoubt() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    CompletableFuture<ProducerAck> a = producer.appendAsync(bytes("a"));
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    Letter held = courier.next();
    assertThat(held.parcel.seq()).isZero();
    Thread.currentThread().interrupt();
    assertThatThrownBy(producer::close).isInstanceOf(ProducerException.Closed.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure(a).batch().orElseThrow().inDoubt()).isTrue();
    assertThat(failure(b).batch().orElseThrow().inDoubt()).isFalse();
  }

  @Test
  void aListenerThatThrowsOrWaitsHarmsNobody() {
    courier.automatic();
    IdempotentProducer[] self = new IdempotentProducer[1];
    List<Throwable> caught = Collections.synchronizedList(new ArrayList<>());
    ProducerListener bad =
        new ProducerListener() {
          @Override
          public void acknowledged(ProducerAck ack) {
            try {
              self[0].flush();
            } catch (IllegalStateException e) {
              caught.add(e);
            }
            throw new IllegalStateException("a listener's own trouble");
          }
        };
    long before = LoopFailures.count("semel-producer");
    self[0] = open(courier, TEXT, SINGLY.withLinger(Duration.ZERO), bad);
    self[0].append("a");
    self[0].append("b");
    self[0].close();
    assertThat(caught).hasSize(2);
    assertThat(LoopFailures.count("semel-producer")).isGreaterThanOrEqualTo(before + 2);
    assertThat(courier.text()).isEqualTo("ab");
  }

  @Test
  void aListenerThatClosesItsProducerClosesNothing() {
    courier.automatic();
    IdempotentProducer[] self = new IdempotentProducer[1];
    List<Throwable> caught = Collections.synchronizedList(new ArrayList<>());
    ProducerListener closing =
        new ProducerListener() {
          @Override
          public void acknowledged(ProducerAck ack) {
            try {
              self[0].close();
            } catch (IllegalStateException e) {
              caught.add(e);
            }
          }
        };
    self[0] = open(courier, TEXT, SINGLY, closing);
    self[0].append("a");
    self[0].flush();
    self[0].append("b");
    self[0].flush();
    assertThat(caught).hasSize(2);
    self[0].close();
    assertThat(courier.text()).isEqualTo("ab");
    assertThatThrownBy(() -> self[0].append("c")).isInstanceOf(ProducerException.Closed.class);
  }

  @Test
  void whoClosesTheStreamIsWokenByItsEnd() {
    for (int i = 0; i < 300; i++) {
      HeldCourier each = new HeldCourier(TEXT).automatic();
      try (IdempotentProducer producer =
          open(each, TEXT, ProducerSettings.defaults().withEpoch(7), ProducerListener.NONE)) {
        assertThat(producer.closeStream(bytes("last"))).isPresent();
      }
    }
  }
}
