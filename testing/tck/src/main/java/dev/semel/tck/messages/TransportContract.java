package dev.semel.tck.messages;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receive;
import static dev.semel.tck.messages.TransportCalls.text;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.tck.AwkwardIds;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Everything that {@link Transport} promises. Extend it to test a transport. */
public abstract class TransportContract extends TransportWords {
  private static final int ON_THEIR_WAY = 60;
  private static final int SHORT_LIVES = 10;

  @Nested
  class Publishing {
    @Test
    void whatIsSentAgainIsADuplicateAndArrivesOnce() throws InterruptedException {
      assumeTrue(underTest().dropsDuplicates(), "duplicates are for the inbox alone");
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", patient())) {
        Message message = message(destination, "once").withIdOf(destination + "-order-17-v3");
        PublishResult first = publish(message);
        PublishResult second = publish(message);
        assertThat(first.duplicate()).isFalse();
        assertThat(second.duplicate()).isTrue();
        assertThat(second.position()).isEqualTo(first.position());
        receiveOne(reader).acknowledge();
        assertNothingComes(reader);
      }
    }

    @Test
    void allFieldsArriveAsTheyWereSent() throws InterruptedException {
      String destination = underTest().freshDestination();
      byte[] allBytes = new byte[256];
      IntStream.range(0, 256).forEach(i -> allBytes[i] = (byte) i);
      Message message =
          new Message(
              " größe %41 " + destination,
              destination,
              "日本語 % schlüssel ",
              "order-created ü",
              allBytes,
              Map.of(
                  "plain",
                  "value",
                  "empty",
                  "",
                  "blanks",
                  "  around  ",
                  "percent",
                  "100%25 %",
                  "other",
                  "größe 🎉: \"x\"",
                  "Nats-Expected-Last-Sequence",
                  "77",
                  Message.TRACE_PARENT,
                  "00-" + "a".repeat(32) + "-" + "b".repeat(16) + "-01"));
      assertArrivesAsSent(message);
    }

    @Test
    void anEmptyPayloadArrives() throws InterruptedException {
      assertArrivesAsSent(Message.of(underTest().freshDestination(), new byte[0]));
    }

    @Test
    void awkwardOrderingKeysAndHeadersArrive() throws InterruptedException {
      for (String text : AwkwardIds.ALL.subList(0, 12)) {
        Message plain = Message.of(underTest().freshDestination(), text);
        assertArrivesAsSent(plain.withOrderingKey(text).withHeader("awkward", text));
      }
    }

    private void assertArrivesAsSent(Message sent) throws InterruptedException {
      try (Subscription reader = transport().subscribe(sent.destination(), "c", patient())) {
        publish(sent);
        Delivery delivery = receiveOne(reader);
        Message got = delivery.message();
        assertThat(got.id()).isEqualTo(sent.id());
        assertThat(got.destination()).isEqualTo(sent.destination());
        assertThat(got.orderingKey()).isEqualTo(sent.orderingKey());
        assertThat(got.type()).isEqualTo(sent.type());
        assertThat(got.payload()).isEqualTo(sent.payload());
        assertThat(got.headers()).isEqualTo(sent.headers());
        assertThat(delivery.attempt()).isEqualTo(1);
        delivery.acknowledge();
      }
    }

    @Test
    void aBatchIsConfirmedOneByOneAndWhatIsTooLargeFailsAlone() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", patient())) {
        List<CompletionStage<PublishResult>> answers =
            transport()
                .publishAll(
                    List.of(
                        message(destination, "first"),
                        Message.of(destination, new byte[underTest().tooManyBytes()]),
                        message(destination, "last")));
        assertThat(answers).hasSize(3);
        get(answers.get(0));
        PublishFailed failed = catchThrowableOfType(PublishFailed.class, () -> get(answers.get(1)));
        assertThat(failed.kind()).isEqualTo(Kind.REFUSED);
        get(answers.get(2));
        assertThat(texts(receive(reader, 2))).containsExactlyInAnyOrder("first", "last");
      }
    }

    @Test
    void whatIsTooLargeIsRefused() {
      Message large =
          Message.of(underTest().freshDestination(), new byte[underTest().tooManyBytes()]);
      PublishFailed failed = catchThrowableOfType(PublishFailed.class, () -> publish(large));
      assertThat(failed.kind()).isEqualTo(Kind.REFUSED);
      assertThat(failed).hasMessageContaining("limit");
    }

    @Test
    void whatHasNoTakerIsRefused() {
      assumeTrue(
          underTest().unknownDestination().isPresent(), "the broker takes messages for anything");
      Message lost = Message.of(underTest().unknownDestination().orElseThrow(), "lost");
      PublishFailed failed = catchThrowableOfType(PublishFailed.class, () -> publish(lost));
      assertThat(failed.kind()).isEqualTo(Kind.REFUSED);
    }

    @Test
    @Tag("proof")
    void aBrokerThatIsDownFailsInGoodTimeAndIsFoundAgain(TestReporter report)
        throws InterruptedException {
      Optional<TransportUnderTest.Stoppable> own = underTest().stoppable();
      assumeTrue(own.isPresent(), "the broker can't be stopped");
      try (TransportUnderTest.Stoppable broker = own.orElseThrow()) {
        Transport transport = broker.underTest().transport();
        String destination = broker.underTest().freshDestination();
        try (Subscription reader = transport.subscribe(destination, "c", patient())) {
          publish(transport, message(destination, "before"));
          receiveOne(reader).acknowledge();
          broker.stop();
          report.publishEntry("outages", "1");
          Message during = message(destination, "during");
          long start = System.nanoTime();
          PublishFailed failed =
              catchThrowableOfType(PublishFailed.class, () -> publish(transport, during));
          assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
          assertThat(Duration.ofNanos(System.nanoTime() - start))
              .isLessThan(broker.publishLimit().plusSeconds(5));
          assertThatThrownBy(() -> reader.receive(1, Duration.ofMillis(200)))
              .isInstanceOf(StoreException.class);
          broker.start();
          publishUntilConfirmed(transport, during);
          publishUntilConfirmed(transport, during);
          // A broker that was killed may have forgotten the last acknowledgements.
          List<String> came = receiveUntil(reader, "during");
          assertThat(came).endsWith("during").isSubsetOf("before", "during");
          List<String> more = texts(reader.receive(10, MOMENT));
          assertThat(more).isSubsetOf("before", "during");
          if (underTest().dropsDuplicates()) {
            assertThat(more).as("it was published three times").doesNotContain("during");
          }
        }
      }
    }

    private void publishUntilConfirmed(Transport transport, Message message) {
      long start = System.nanoTime();
      while (true) {
        try {
          publish(transport, message);
          return;
        } catch (PublishFailed e) {
          assertThat(e.kind()).isNotEqualTo(Kind.REFUSED);
          assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
        }
      }
    }

    private List<String> receiveUntil(Subscription reader, String last)
        throws InterruptedException {
      long start = System.nanoTime();
      List<String> got = new ArrayList<>();
      while (!got.contains(last) && System.nanoTime() - start < LIMIT.toNanos()) {
        try {
          got.addAll(texts(reader.receive(1, Duration.ofMillis(500))));
        } catch (StoreException e) {
          assertThat(e).hasMessageNotContaining("closed");
        }
      }
      return got;
    }
  }

  @Nested
  class Sharing {
    @Test
    void eachConsumerGetsAllAndThoseOfOneNameShare() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription alone = transport().subscribe(destination, "alone", patient());
          Subscription one = transport().subscribe(destination, "shared", patient());
          Subscription other = transport().subscribe(destination, "shared", patient())) {
        Set<String> sent = new HashSet<>();
        for (int i = 0; i < 20; i++) {
          sent.add("m" + i);
          publish(message(destination, "m" + i));
        }
        assertThat(texts(receive(alone, 20))).containsExactlyInAnyOrderElementsOf(sent);
        List<Delivery> shared = new ArrayList<>();
        long start = System.nanoTime();
        while (shared.size() < 20 && System.nanoTime() - start < LIMIT.toNanos()) {
          shared.addAll(one.receive(5, MOMENT));
          shared.addAll(other.receive(5, MOMENT));
        }
        assertThat(texts(shared)).containsExactlyInAnyOrderElementsOf(sent);
      }
    }

    @Test
    void whatANameAcknowledgedIsStillThereForAnother() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription one = transport().subscribe(destination, "one", patient());
          Subscription other = transport().subscribe(destination, "other", patient())) {
        publish(message(destination, "m"));
        receiveOne(one).acknowledge();
        assertThat(text(receiveOne(other))).isEqualTo("m");
      }
    }

    @Test
    void aNameThatCannotBeUsedIsRefused() {
      String destination = underTest().freshDestination();
      for (String name : List.of("", "a b", "a.b", "c".repeat(65))) {
        assertThatThrownBy(() -> transport().subscribe(destination, name, patient()))
            .as(name)
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("letters");
      }
    }

    @Test
    void noMoreAreOutThanAllowed() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader =
          transport().subscribe(destination, "c", patient().withMaxUnacknowledged(2))) {
        for (int i = 0; i < 3; i++) {
          publish(message(destination, "m" + i));
        }
        List<Delivery> two = receive(reader, 2);
        assertNothingComes(reader);
        two.getFirst().acknowledge();
        receiveOne(reader);
      }
    }
  }

  @Nested
  class Order {
    @Test
    void theNextOfAKeyComesAfterTheOneBeforeItWasAcknowledged() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription one = transport().subscribe(destination, "c", patient());
          Subscription other = transport().subscribe(destination, "c", patient())) {
        for (int i = 0; i < 3; i++) {
          publish(message(destination, "m" + i).withOrderingKey("k"));
        }
        Delivery first = receiveOne(one);
        assertThat(text(first)).isEqualTo("m0");
        assertNothingComes(other);
        assertNothingComes(one);
        first.acknowledge();
        Delivery second = fromEither(one, other);
        assertThat(text(second)).isEqualTo("m1");
        second.acknowledge();
        assertThat(text(fromEither(one, other))).isEqualTo("m2");
      }
    }

    @Test
    void aRetryHoldsTheNextOfItsKeyBack() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription one = transport().subscribe(destination, "c", patient());
          Subscription other = transport().subscribe(destination, "c", patient())) {
        publish(message(destination, "m0").withOrderingKey("k"));
        publish(message(destination, "m1").withOrderingKey("k"));
        receiveOne(one).retry(Duration.ofMillis(400));
        assertNothingComes(other);
        Delivery again = fromEither(one, other);
        assertThat(text(again)).isEqualTo("m0");
        assertThat(again.attempt()).isEqualTo(2);
        again.acknowledge();
        assertThat(text(fromEither(one, other))).isEqualTo("m1");
      }
    }

    @Test
    void orderIsKeptPerKeyWhileSomeFailAndTwoShare() throws InterruptedException {
      String destination = underTest().freshDestination();
      int keys = 5;
      int each = 6;
      List<List<String>> done = new ArrayList<>();
      IntStream.range(0, keys).forEach(key -> done.add(new ArrayList<>()));
      try (Subscription one = transport().subscribe(destination, "c", hasty());
          Subscription other = transport().subscribe(destination, "c", hasty())) {
        for (int i = 0; i < each; i++) {
          for (int key = 0; key < keys; key++) {
            publish(message(destination, key + "-" + i).withOrderingKey("key " + key));
          }
        }
        long start = System.nanoTime();
        int acknowledged = 0;
        while (acknowledged < keys * each && System.nanoTime() - start < LIMIT.toNanos()) {
          List<Delivery> got = new ArrayList<>(one.receive(3, Duration.ofMillis(30)));
          got.addAll(other.receive(3, Duration.ofMillis(30)));
          for (Delivery delivery : got) {
            String text = text(delivery);
            if (text.endsWith("-1") && delivery.attempt() == 1) {
              delivery.retry(Duration.ofMillis(50));
            } else if (!text.equals("3-2") || delivery.attempt() > 1) { // otherwise its taker died
              done.get(text.charAt(0) - '0').add(text);
              delivery.acknowledge();
              acknowledged++;
            }
          }
        }
      }
      for (int key = 0; key < keys; key++) {
        int of = key;
        assertThat(done.get(key))
            .containsExactlyElementsOf(
                IntStream.range(0, each).mapToObj(i -> of + "-" + i).toList());
      }
    }

    private Delivery fromEither(Subscription one, Subscription other) throws InterruptedException {
      long start = System.nanoTime();
      while (System.nanoTime() - start < LIMIT.toNanos()) {
        for (Subscription reader : List.of(one, other)) {
          List<Delivery> got = reader.receive(1, MOMENT);
          if (!got.isEmpty()) {
            return got.getFirst();
          }
        }
      }
      throw new AssertionError("nothing came");
    }
  }

  @Nested
  class Acknowledging {
    @Test
    void whatWasAcknowledgedNeverComesAgain() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", hasty())) {
        for (int i = 0; i < 5; i++) {
          publish(message(destination, "m" + i));
        }
        reader.acknowledge(receive(reader, 5));
        assertThat(reader.receive(5, underTest().ackWithin().plus(MOMENT))).isEmpty();
      }
      try (Subscription later = transport().subscribe(destination, "c", hasty())) {
        assertNothingComes(later);
      }
    }

    @Test
    void whatWasNotAcknowledgedComesAgain() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", hasty())) {
        publish(message(destination, "m"));
        long start = System.nanoTime();
        assertThat(receiveOne(reader).attempt()).isEqualTo(1);
        Delivery again = receiveOne(reader);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isGreaterThan(underTest().ackWithin().multipliedBy(9).dividedBy(10));
        assertThat(text(again)).isEqualTo("m");
        assertThat(again.attempt()).isEqualTo(2);
        again.acknowledge();
      }
    }

    @Test
    void whoAsksForMoreTimeGetsIt() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", hasty());
          Subscription other = transport().subscribe(destination, "c", hasty())) {
        publish(message(destination, "m").withOrderingKey("k"));
        Delivery delivery = receiveOne(reader);
        Duration part = underTest().ackWithin().dividedBy(3);
        for (int i = 0; i < 6; i++) {
          assertThat(other.receive(1, part)).isEmpty();
          delivery.extend();
        }
        assertNothingComes(reader);
        delivery.acknowledge();
        assertNothingComes(other);
      }
    }

    @Test
    void aRetryComesAfterItsPause() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", patient())) {
        publish(message(destination, "m"));
        Delivery first = receiveOne(reader);
        long start = System.nanoTime();
        first.retry(Duration.ofMillis(500));
        assertThat(receiveOne(reader).attempt()).isEqualTo(2);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isGreaterThan(Duration.ofMillis(450));
      }
    }

    @Test
    void aRetryWithoutAPauseComesAtOnce() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", patient())) {
        publish(message(destination, "m"));
        receiveOne(reader).retry(Duration.ZERO);
        assertThat(receiveOne(reader).attempt()).isEqualTo(2);
      }
    }

    @Test
    void whatAClosedOneHadComesToAnother() throws InterruptedException {
      String destination = underTest().freshDestination();
      publishAndLeave(destination);
      try (Subscription reader = transport().subscribe(destination, "c", hasty())) {
        List<Delivery> got = receive(reader, 2);
        assertThat(texts(got)).containsExactlyInAnyOrder("free", "keyed");
        reader.acknowledge(got);
      }
    }

    /** Messages that nobody saw need not wait until their time to acknowledge is over. */
    @Test
    void whatIsOnItsWayToAClosedOneComesToAnotherAtOnce() throws InterruptedException {
      String destination = underTest().freshDestination();
      boolean atOnce = underTest().givesBackAtOnce();
      SubscribeSettings how = atOnce ? patient() : hasty();
      transport().subscribe(destination, "c", how).close(); // some store nothing before it
      for (int i = 0; i < ON_THEIR_WAY; i++) {
        publish(message(destination, "m" + i).withOrderingKey(i % 3 == 0 ? "" : "k" + i % 7));
      }
      Set<String> got = new LinkedHashSet<>();
      int came = 0;
      for (int i = 0; i < SHORT_LIVES; i++) {
        try (Subscription reader = transport().subscribe(destination, "c", how)) {
          Delivery one = receiveOne(reader);
          reader.acknowledge(List.of(one));
          got.add(text(one));
          came++;
        }
      }
      try (Subscription last = transport().subscribe(destination, "c", how)) {
        while (got.size() < ON_THEIR_WAY) {
          List<Delivery> some = receive(last, 1);
          last.acknowledge(some);
          got.addAll(texts(some));
          came += some.size();
        }
      }
      if (atOnce) { // otherwise the broker redelivers messages whose acknowledgement is late
        assertThat(came).isEqualTo(ON_THEIR_WAY);
      }
    }

    private void publishAndLeave(String destination) throws InterruptedException {
      try (Subscription reader = transport().subscribe(destination, "c", hasty())) {
        publish(message(destination, "free"));
        publish(message(destination, "keyed").withOrderingKey("k"));
        receive(reader, 2);
      }
    }
  }

  @Nested
  class Looking {
    @Test
    void lagIsWhatWaits() throws InterruptedException {
      String destination = underTest().freshDestination();
      try (Subscription reader = transport().subscribe(destination, "c", patient())) {
        assertThat(reader.lag()).isZero();
        for (int i = 0; i < 4; i++) {
          publish(message(destination, "m" + i).withOrderingKey("k"));
        }
        assertThat(reader.lag()).isEqualTo(4);
        receiveOne(reader).acknowledge();
        // The next one may be in flight already.
        assertThat(reader.lag()).isBetween(2L, 3L);
      }
    }

    @Test
    void itSaysWhereItLeadsTo() {
      assertThat(transport().describe()).isNotBlank();
      assertThat(transport().hazards(Duration.ofHours(30))).isNotEmpty();
    }
  }
}
