package dev.semel.stream.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.HeldTransport.Letter;
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

  private final HeldTransport transport = new HeldTransport(TEXT);

  private IdempotentProducer open(ProducerSettings settings) {
    return open(transport, TEXT, settings, ProducerListener.NONE);
  }

  private static IdempotentProducer open(
      HeldTransport transport,
      ContentType type,
      ProducerSettings settings,
      ProducerListener listener) {
    return IdempotentProducer.open(Platform.REAL, transport.line(), type, "p", settings, listener);
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
            transport,
            TEXT,
            ProducerSettings.defaults().withEpoch(7).withLinger(Duration.ofHours(1)),
            listener);
    CompletableFuture<ProducerAck> first = producer.appendAsync(bytes("a"));
    producer.append("b");
    CompletableFuture<ProducerAck> third = producer.appendAsync(bytes("c"));
    assertThat(producer.pendingCount()).isEqualTo(3);
    assertThat(transport.quiet()).as("it lingers").isTrue();
    transport.automatic();
    producer.flush();
    assertThat(transport.text()).isEqualTo("abc");
    assertThat(first.get()).isEqualTo(third.get());
    assertThat(first.get().messages()).isEqualTo(3);
    assertThat(first.get().next()).isPresent();
    assertThat(producer.pendingCount()).isZero();
    producer.close();
    assertThat(heard).containsExactly(first.get());
  }

  @Test
  void jsonMessagesBecomeAnArrayAndAnArrayStaysOneMessage() {
    HeldTransport json = new HeldTransport(ContentType.JSON).automatic();
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
      Letter question = transport.next();
      assertThat(question.batchRequest.seq()).isEqualTo(HeaderDigits.MAX);
      long before = question.deliver() instanceof BatchResult.Stale s ? s.current() : 0;
      producer.append("life " + life + ";");
      Letter first = transport.next();
      assertThat(first.batchRequest.seq()).isZero();
      assertThat(first.batchRequest.epoch()).isGreaterThan(before);
      first.deliver();
      assertThat(producer.epoch()).hasValue(first.batchRequest.epoch());
      producer.close();
    }
    assertThat(transport.text()).isEqualTo("life 0;life 1;life 2;");
  }

  @Test
  void fiveAreUnderWayOnceTheServerKnowsTheEpoch() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    for (int i = 0; i < 8; i++) {
      producer.append("m" + i);
    }
    Letter first = transport.next();
    assertThat(transport.quiet()).as("a new epoch begins with one").isTrue();
    first.deliver();
    List<Letter> letters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      letters.add(transport.next());
    }
    assertThat(transport.quiet()).isTrue();
    assertThat(producer.inFlightCount()).isEqualTo(5);
    transport.automatic();
    letters.forEach(Letter::deliver);
    producer.close();
    assertThat(transport.text()).isEqualTo("m0m1m2m3m4m5m6m7");
  }

  @Test
  void whatOvertookOthersIsSentAgainInOrder() {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    transport.next().deliver();
    for (String each : List.of("b", "c", "d", "e")) {
      producer.append(each);
    }
    List<Letter> letters =
        List.of(transport.next(), transport.next(), transport.next(), transport.next());
    assertThat(letters.get(3).deliver()).isInstanceOf(BatchResult.Gap.class);
    assertThat(letters.get(2).deliver()).isInstanceOf(BatchResult.Gap.class);
    transport.automatic();
    letters.get(0).deliver();
    letters.get(1).deliver();
    producer.close();
    assertThat(transport.text()).isEqualTo("abcde");
  }

  /** The answer that it came too early arrives when those before it are there. */
  @Test
  void anOldGapIsNoGap() {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    transport.next().deliver();
    producer.append("b");
    producer.append("c");
    Letter b = transport.next();
    Letter c = transport.next();
    BatchResult early = c.arrive();
    b.deliver();
    producer.append("d");
    transport.next().lose();
    c.answer(early);
    transport.automatic();
    producer.close();
    assertThat(transport.text()).isEqualTo("abcd");
  }

  @Test
  void aLostAnswerIsNotASecondMessage() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    CompletableFuture<ProducerAck> a = producer.appendAsync(bytes("a"));
    transport.next().loseAnswer();
    transport.automatic();
    assertThat(a.get().seq()).isZero();
    producer.append("b");
    producer.close();
    assertThat(transport.text()).isEqualTo("ab");
  }

  @Test
  void whatALaterBatchProvesNeedsNoAnswer() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    transport.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    CompletableFuture<ProducerAck> c = producer.appendAsync(bytes("c"));
    Letter lost = transport.next();
    Letter proof = transport.next();
    lost.arrive();
    proof.deliver();
    assertThat(c.get().next()).isPresent();
    assertThat(b.get().next()).isEmpty();
    lost.lose();
    producer.close();
    assertThat(transport.text()).isEqualTo("abc");
  }

  @Test
  void whoIsFencedStopsAndSaysWhatIsNotThere() throws Exception {
    IdempotentProducer old = open(SINGLY);
    old.append("a");
    transport.next().deliver();
    CompletableFuture<ProducerAck> b = old.appendAsync(bytes("b"));
    CompletableFuture<ProducerAck> c = old.appendAsync(bytes("c"));
    Letter held = transport.next();
    transport.next().lose();
    transport.automatic();
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
    assertThat(transport.text()).isEqualTo("aX");
  }

  @Test
  void whoClaimsAnewSendsOnlyWhatIsSurelyNotThere() throws Exception {
    IdempotentProducer producer = open(SINGLY.withClaimsAfterFencing(true));
    producer.append("a");
    transport.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    CompletableFuture<ProducerAck> c = producer.appendAsync(bytes("c"));
    Letter inDoubt = transport.next();
    Letter refused = transport.next();
    inDoubt.arrive();
    new EngineBatchTransport(transport.streams, HeldTransport.PATH, TEXT)
        .send(new BatchRequest("p", 900, 0, bytes("X"), false), r -> {});
    inDoubt.lose();
    transport.automatic();
    refused.deliver();
    assertThat(failure(b).batch().orElseThrow().inDoubt()).isTrue();
    assertThat(c.get().epoch()).isGreaterThan(900);
    assertThatThrownBy(producer::close).isInstanceOf(ProducerException.Fenced.class);
    assertThat(transport.text()).isEqualTo("abXc");
  }

  @Test
  void anotherOneInTheSameEpochIsNoticed() throws Exception {
    transport.automatic();
    try (IdempotentProducer first = open(SINGLY)) {
      first.append("a");
    }
    IdempotentProducer second = open(SINGLY);
    CompletableFuture<ProducerAck> b = second.appendAsync(bytes("b"));
    ProducerException taken = failure(b);
    assertThat(taken).isInstanceOf(ProducerException.EpochTaken.class);
    assertThat(taken.batch().orElseThrow().inDoubt()).isFalse();
    assertThatThrownBy(second::close).isInstanceOf(ProducerException.EpochTaken.class);
    assertThat(transport.text()).isEqualTo("a");
  }

  @Test
  void aServerThatForgotIsAGap() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    transport.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    transport.next().answer(new BatchResult.Gap(0));
    ProducerException.SequenceGap gap = (ProducerException.SequenceGap) failure(b);
    assertThat(gap.expected()).isZero();
    assertThat(gap.batch().orElseThrow().messages()).containsExactly(bytes("b"));
    assertThatThrownBy(producer::close).isInstanceOf(ProducerException.SequenceGap.class);
  }

  @Test
  void aRefusedBatchFailsAloneAndTheOthersGoOnUnderAnotherEpoch() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    transport.next().deliver();
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    producer.append("c");
    Letter refused = transport.next();
    Letter behind = transport.next();
    refused.answer(new BatchResult.Refused(413, "too large", true));
    transport.automatic();
    behind.deliver();
    assertThat(((ProducerException.Refused) failure(b)).status()).isEqualTo(413);
    assertThatThrownBy(producer::flush).isInstanceOf(ProducerException.Refused.class);
    producer.append("d");
    producer.close();
    assertThat(producer.epoch().orElseThrow()).isGreaterThan(7);
    assertThat(transport.text()).isEqualTo("acd");
  }

  @Test
  void aLifeGoesOnBehindWhatTheServerHas() {
    transport.automatic();
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
    assertThat(transport.text()).isEqualTo("abcd");
  }

  @Test
  void whoAppendsTooMuchWaitsAndThenHearsOfIt() throws Exception {
    IdempotentProducer producer = open(SINGLY.withMaxPending(20, Duration.ofMillis(100)));
    producer.append("0123456789");
    assertThatThrownBy(() -> producer.append("0123456789"))
        .isInstanceOf(ProducerException.BufferFull.class);
    assertThatThrownBy(() -> producer.append("more than may ever wait"))
        .isInstanceOf(InvalidInput.class);
    Letter first = transport.next();
    transport.automatic();
    first.deliver();
    producer.flush();
    producer.append("abcdefghij");
    producer.close();
    assertThat(transport.text()).isEqualTo("0123456789abcdefghij");
  }

  @Test
  void roomThatComesInTimeLetsTheMessageIn() throws Exception {
    IdempotentProducer producer = open(SINGLY.withMaxPending(20, Patience.LIMIT));
    producer.append("0123456789");
    Letter first = transport.next();
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(() -> producer.append("abcdefghij"));
    assertThat(transport.quiet()).isTrue();
    assertThat(second).isNotDone();
    transport.automatic();
    first.deliver();
    second.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    producer.close();
    assertThat(transport.text()).isEqualTo("0123456789abcdefghij");
  }

  @Test
  void whoCantReachTheServerGivesUpInTheEnd() throws Exception {
    IdempotentProducer producer =
        open(SINGLY.withTimeouts(Duration.ofSeconds(1), Duration.ofMillis(1)));
    transport.always(new BatchResult.NotYet(new StoreException("away"), Duration.ZERO));
    CompletableFuture<ProducerAck> a = producer.appendAsync(bytes("a"));
    ProducerException gaveUp = failure(a);
    assertThat(gaveUp).isInstanceOf(ProducerException.GaveUp.class).hasRootCauseMessage("away");
    assertThat(gaveUp.batch().orElseThrow().inDoubt()).isFalse();
  }

  @Test
  void theStreamIsClosedOnceBehindEverything() {
    transport.automatic();
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    assertThat(producer.closeStream(bytes("z"))).isPresent();
    assertThat(producer.closeStream()).as("again").isPresent();
    assertThatThrownBy(() -> producer.append("b"))
        .isInstanceOf(ProducerException.StreamClosed.class);
    producer.close();
    assertThat(transport.text()).isEqualTo("az");
    IdempotentProducer late = open(ProducerSettings.defaults());
    late.append("late");
    assertThatThrownBy(late::flush).isInstanceOf(ProducerException.StreamClosed.class);
  }

  @Test
  void aCloseThatFailedFailsAgain() {
    IdempotentProducer producer = open(SINGLY);
    transport.always(new BatchResult.Stale(9));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(producer::closeStream).isInstanceOf(ProducerException.Fenced.class);
    }
  }

  @Test
  void aCloseThatIsRefusedLeavesTheStreamOpen() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    transport.always(new BatchResult.Refused(413, "too large", true));
    assertThatThrownBy(() -> producer.closeStream(bytes("last")))
        .isInstanceOf(ProducerException.Refused.class);
    transport.automatic();
    producer.append("a");
    assertThat(producer.closeStream()).isPresent();
    assertThat(transport.text()).isEqualTo("a");
  }

  @Test
  void nothingLeavesAfterClose() throws Exception {
    transport.automatic();
    IdempotentProducer producer = open(SINGLY);
    producer.append("a");
    producer.close();
    producer.close();
    assertThatThrownBy(() -> producer.append("b")).isInstanceOf(ProducerException.Closed.class);
    assertThat(transport.quiet()).isTrue();
    assertThat(transport.sentAfterClose).isFalse();
    assertThat(transport.text()).isEqualTo("a");
  }

  @Test
  void anInterruptedCloseEndsAtOnceAndSaysWhatIsInDoubt() throws Exception {
    IdempotentProducer producer = open(SINGLY);
    CompletableFuture<ProducerAck> a = producer.appendAsync(bytes("a"));
    CompletableFuture<ProducerAck> b = producer.appendAsync(bytes("b"));
    Letter held = transport.next();
    assertThat(held.batchRequest.seq()).isZero();
    Thread.currentThread().interrupt();
    assertThatThrownBy(producer::close).isInstanceOf(ProducerException.Closed.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure(a).batch().orElseThrow().inDoubt()).isTrue();
    assertThat(failure(b).batch().orElseThrow().inDoubt()).isFalse();
  }

  @Test
  void aListenerThatThrowsOrWaitsHarmsNobody() {
    transport.automatic();
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
    self[0] = open(transport, TEXT, SINGLY.withLinger(Duration.ZERO), bad);
    self[0].append("a");
    self[0].append("b");
    self[0].close();
    assertThat(caught).hasSize(2);
    assertThat(LoopFailures.count("semel-producer")).isGreaterThanOrEqualTo(before + 2);
    assertThat(transport.text()).isEqualTo("ab");
  }

  @Test
  void aListenerThatClosesItsProducerClosesNothing() {
    transport.automatic();
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
    self[0] = open(transport, TEXT, SINGLY, closing);
    self[0].append("a");
    self[0].flush();
    self[0].append("b");
    self[0].flush();
    assertThat(caught).hasSize(2);
    self[0].close();
    assertThat(transport.text()).isEqualTo("ab");
    assertThatThrownBy(() -> self[0].append("c")).isInstanceOf(ProducerException.Closed.class);
  }

  @Test
  void whoClosesTheStreamIsWokenByItsEnd() {
    for (int i = 0; i < 300; i++) {
      HeldTransport each = new HeldTransport(TEXT).automatic();
      try (IdempotentProducer producer =
          open(each, TEXT, ProducerSettings.defaults().withEpoch(7), ProducerListener.NONE)) {
        assertThat(producer.closeStream(bytes("last"))).isPresent();
      }
    }
  }
}
