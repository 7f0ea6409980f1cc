package dev.semel.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.InvalidInput;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.outbox.spi.RetryingEntry;
import dev.semel.tck.Racers;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Everything that {@link OutboxStore} promises to a relay. Extend it to test an outbox. */
public abstract class OutboxStoreContract extends OutboxContract {
  @Nested
  class Partitions {
    @Test
    void areAllTheFirstRelays() {
      PartitionAssignment assignment = store().heartbeat("a", LONG, RelayCounts.NONE);
      assertThat(assignment.relays()).isOne();
      assertThat(assignment.partitions()).hasSize(OutboxStore.PARTITIONS);
    }

    @Test
    void areNotTakenFromOneThatLives() {
      beat("a", LONG);
      PartitionAssignment second = store().heartbeat("b", LONG, RelayCounts.NONE);
      assertThat(second.relays()).isEqualTo(2);
      assertThat(second.partitions()).isEmpty();
      assertThat(beat("a", LONG)).hasSize(OutboxStore.PARTITIONS);
    }

    @Test
    void areSharedOnceTheOtherReleasedSome() {
      Set<Integer> first = beat("a", LONG);
      beat("b", LONG);
      Set<Integer> surplus = Set.copyOf(new ArrayList<>(first).subList(0, 8));
      store().release("a", surplus);
      assertThat(beat("b", LONG)).isEqualTo(surplus);
      assertThat(beat("a", LONG)).hasSize(8).doesNotContainAnyElementsOf(surplus);
    }

    @Test
    void areNotTakenBeyondTheShare() {
      beat("a", LONG);
      beat("b", LONG);
      beat("c", LONG);
      store().leave("a");
      assertThat(beat("b", LONG)).hasSize(8);
      assertThat(beat("c", LONG)).hasSize(8);
    }

    @Test
    void areFreeWhenTheirRelayLeft() {
      beat("a", LONG);
      store().leave("a");
      PartitionAssignment next = store().heartbeat("b", LONG, RelayCounts.NONE);
      assertThat(next.relays()).isOne();
      assertThat(next.partitions()).hasSize(OutboxStore.PARTITIONS);
    }

    @Test
    void areTakenFromOneThatSaidNothingForItsLeasesTime() {
      beat("a", SHORT);
      outbox().elapse(SHORT);
      assertThat(beat("b", LONG)).hasSize(OutboxStore.PARTITIONS);
      assertThat(beat("a", LONG)).isEmpty();
    }

    @Test
    void areKeptByOneThatCameLateButBeforeAnother() {
      beat("a", SHORT);
      outbox().elapse(SHORT);
      assertThat(beat("a", LONG)).hasSize(OutboxStore.PARTITIONS);
      assertThat(beat("b", LONG)).isEmpty();
    }

    @Test
    void ofAnotherAreNotReleased() {
      beat("a", LONG);
      store().release("b", Set.of(1, 2, 3));
      store().leave("b");
      assertThat(beat("b", LONG)).isEmpty();
    }

    @Test
    void haveOneOwnerHoweverManyAskAtOnce() {
      for (int round = 0; round < 3; round++) {
        int number = round;
        List<Set<Integer>> held =
            Racers.onPlatformThreads(6, racer -> beat("r" + number + "-" + racer, LONG));
        List<Integer> all = new ArrayList<>();
        held.forEach(all::addAll);
        assertThat(all).isNotEmpty().doesNotHaveDuplicates();
        IntStream.range(0, 6).forEach(racer -> store().leave("r" + number + "-" + racer));
      }
    }

    @Test
    void needARelayWithANameAndALease() {
      assertThatThrownBy(() -> beat("", LONG)).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> beat("x".repeat(300), LONG)).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> beat("a", Duration.ZERO)).isInstanceOf(InvalidInput.class);
    }
  }

  @Nested
  class Reading {
    @Test
    void givesBackWhatWasAdded() {
      Message message =
          new Message(
              "größe-🎉",
              "orders.eu",
              "customer 7",
              "order-created",
              new byte[] {0, 1, -1, 127},
              Map.of("content-type", "application/json", "x-quote", "\"'\\ ü 🎉"));
      add(message);
      OutboxEntry read = readAll().getFirst();
      assertThat(read.message()).usingRecursiveComparison().isEqualTo(message);
      assertThat(read.partition()).isEqualTo(OutboxStore.partition("customer 7"));
      assertThat(read.attempts()).isZero();
    }

    @Test
    void givesBackWhatIsAsSmallAsItCanBe() {
      Message message = new Message("1", "d", "", "", new byte[0], Map.of());
      add(message);
      assertThat(readAll().getFirst().message()).usingRecursiveComparison().isEqualTo(message);
    }

    @Test
    void keepsTheOrderOfAKey() {
      List<String> expected = new ArrayList<>();
      for (int batch = 0; batch < 5; batch++) {
        Message[] messages = new Message[30];
        for (int i = 0; i < messages.length; i++) {
          messages[i] = message("m-" + batch + "-" + i, "one key");
          expected.add("m-" + batch + "-" + i);
        }
        add(messages);
      }
      List<OutboxEntry> read = store().read(List.of(all(OutboxStore.partition("one key"))), 1000);
      assertThat(ids(read)).isEqualTo(expected);
      assertThat(read).extracting(OutboxEntry::place).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void givesAtMostTheLimitOfEachAndGoesOnBehindIt() {
      int one = OutboxStore.partition("k0");
      for (int i = 0; i < 10; i++) {
        add(message("m" + i, "k0"));
      }
      List<OutboxEntry> first = store().read(List.of(all(one)), 4);
      assertThat(ids(first)).containsExactly("m0", "m1", "m2", "m3");
      ReadRange next = new ReadRange(one, first.getLast().place(), Set.of(), Set.of());
      assertThat(ids(store().read(List.of(next), 100)))
          .containsExactly("m4", "m5", "m6", "m7", "m8", "m9");
    }

    @Test
    void givesOnlyThePartitionsThatAreAskedFor() {
      Set<Integer> used = new HashSet<>();
      List<Message> many = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        many.add(message("m" + i, "key " + i));
        used.add(OutboxStore.partition("key " + i));
      }
      add(many.toArray(Message[]::new));
      assertThat(used).hasSize(OutboxStore.PARTITIONS);
      for (int part : used) {
        assertThat(store().read(List.of(all(part)), 1000))
            .isNotEmpty()
            .allMatch(q -> q.partition() == part)
            .allMatch(q -> OutboxStore.partition(q.message().orderingKey()) == part);
      }
      assertThat(readAll()).hasSize(200);
      assertThat(store().read(List.of(), 100)).isEmpty();
    }

    @Test
    void leavesOutWhatIsHeld() {
      int part = OutboxStore.partition("a");
      String other =
          IntStream.range(0, 1000)
              .mapToObj(i -> "other " + i)
              .filter(key -> OutboxStore.partition(key) == part)
              .findFirst()
              .orElseThrow();
      add(message("1", "a"), message("2", other), message("3", "a"), message("4", other));
      assertThat(ids(store().read(List.of(new ReadRange(part, 0, Set.of("a"), Set.of())), 10)))
          .containsExactly("2", "4");
      long second = read("2").place();
      assertThat(ids(store().read(List.of(new ReadRange(part, 0, Set.of(), Set.of(second))), 10)))
          .containsExactly("1", "3", "4");
      assertThat(
              ids(store().read(List.of(new ReadRange(part, 0, Set.of("a"), Set.of(second))), 10)))
          .containsExactly("4");
    }

    @Test
    void doesNotStopAtMoreHeldOnesThanTheLimit() {
      int part = OutboxStore.partition("held '\"\\ 🎉");
      add(
          IntStream.range(0, 20)
              .mapToObj(i -> message("held-" + i, "held '\"\\ 🎉"))
              .toArray(Message[]::new));
      Message free = message("free");
      while (readAll().stream().noneMatch(q -> isFree(q, part))) {
        add(free); // without a key it may be in any partition
      }
      assertThat(
              store().read(List.of(new ReadRange(part, 0, Set.of("held '\"\\ 🎉"), Set.of())), 5))
          .isNotEmpty()
          .allMatch(q -> isFree(q, part));
    }

    private boolean isFree(OutboxEntry queued, int part) {
      return queued.partition() == part && queued.message().id().equals("free");
    }
  }

  @Nested
  class Published {
    @Test
    void messagesLeaveTheQueue() {
      add(message("1"), message("2"), message("3"));
      store().published(List.of(read("1"), read("3")));
      assertThat(ids(readAll())).containsExactly("2");
    }

    @Test
    void messagesMayBeReportedTwiceAndByAnyone() {
      beat("a", LONG);
      add(message("1"));
      List<OutboxEntry> read = readAll();
      store().published(read);
      store().published(read);
      store().published(List.of());
      assertThat(readAll()).isEmpty();
      assumeTrue(outbox().kept().isPresent(), "no history");
      assertThat(outbox().kept()).hasValue(1);
    }

    @Test
    void messagesMayBeMany() {
      for (int i = 0; i < 7; i++) {
        add(
            IntStream.range(i * 200, i * 200 + 200)
                .mapToObj(n -> message("m" + n, "k" + n))
                .toArray(Message[]::new));
      }
      List<OutboxEntry> read = readAll();
      assertThat(read).hasSize(1400);
      store().published(read);
      assertThat(readAll()).isEmpty();
    }
  }

  @Nested
  class Failing {
    @Test
    void messagesStayAndSayWhenTheyAreDue() {
      Set<Integer> mine = beat("a", LONG);
      add(message("1", "key"), message("2", "key"));
      assertThat(store().retrying(mine)).isEmpty();
      assertThat(store().failed("a", read("1"), "no such stream", LONG)).isTrue();
      List<RetryingEntry> retrying = store().retrying(mine);
      assertThat(retrying).hasSize(1);
      assertThat(retrying.getFirst().place()).isEqualTo(read("1").place());
      assertThat(retrying.getFirst().orderingKey()).isEqualTo("key");
      assertThat(retrying.getFirst().partition()).isEqualTo(OutboxStore.partition("key"));
      assertThat(retrying.getFirst().due()).isBetween(LONG.minusMinutes(5), LONG);
      assertThat(read("1").attempts()).isOne();
      assertThat(ids(readAll())).containsExactly("1", "2");
    }

    @Test
    void messagesAreDueWhenTheirPauseIsOver() {
      Set<Integer> mine = beat("a", LONG);
      add(message("1"));
      store().failed("a", read("1"), "busy", SHORT);
      outbox().elapse(SHORT);
      assertThat(store().retrying(mine).getFirst().due()).isLessThanOrEqualTo(Duration.ZERO);
    }

    @Test
    void isCountedOnceHoweverOftenItIsReported() {
      beat("a", LONG);
      add(message("1"));
      OutboxEntry first = read("1");
      store().failed("a", first, "busy", LONG);
      store().failed("a", first, "busy", LONG);
      assertThat(read("1").attempts()).isOne();
      store().failed("a", read("1"), "busy", LONG);
      assertThat(read("1").attempts()).isEqualTo(2);
    }

    @Test
    void messagesOfOtherPartitionsAreNotListed() {
      beat("a", LONG);
      add(message("1", "key"));
      store().failed("a", read("1"), "busy", LONG);
      int part = OutboxStore.partition("key");
      assertThat(store().retrying(Set.of((part + 1) % OutboxStore.PARTITIONS))).isEmpty();
      assertThat(store().retrying(Set.of())).isEmpty();
      assertThat(store().retrying(Set.of(part))).hasSize(1);
    }

    @Test
    void isNotWrittenByARelayThatLostThePartition() {
      beat("a", SHORT);
      add(message("1"));
      OutboxEntry queued = read("1");
      outbox().elapse(SHORT);
      beat("b", LONG);
      assertThat(store().failed("a", queued, "late", LONG)).isFalse();
      assertThat(store().bury("a", queued, "late")).isFalse();
      assertThat(read("1").attempts()).isZero();
      assertThat(store().failed("b", queued, "in time", LONG)).isTrue();
    }

    @Test
    void isNotWrittenForAMessageThatIsGone() {
      beat("a", LONG);
      add(message("1"));
      OutboxEntry queued = read("1");
      store().published(List.of(queued));
      assertThat(store().failed("a", queued, "late", LONG)).isFalse();
      assertThat(store().bury("a", queued, "late")).isFalse();
      assertThat(outbox().dead()).isZero();
    }

    @Test
    void forGoodMakesADeadLetter() {
      Set<Integer> mine = beat("a", LONG);
      add(message("1"), message("2"));
      store().failed("a", read("1"), "busy", LONG);
      assertThat(store().bury("a", read("1"), "too large")).isTrue();
      assertThat(ids(readAll())).containsExactly("2");
      assertThat(store().retrying(mine)).isEmpty();
      assertThat(outbox().dead()).isOne();
    }

    @Test
    void mayHaveAnyReason() {
      beat("a", LONG);
      add(message("1"));
      String reason = "a\0b\nc 🎉" + "é".repeat(5000);
      assertThat(store().failed("a", read("1"), reason, LONG)).isTrue();
      assertThat(store().bury("a", read("1"), reason)).isTrue();
    }
  }

  @Test
  void aBellIsHeardAfterwardsAtLeastFromThisProcess() throws Exception {
    beat("a", LONG);
    store().resting("a", true);
    CountDownLatch rung = new CountDownLatch(1);
    try (AutoCloseable listening = store().onBell(rung::countDown)) {
      assertThat(listening).isNotNull();
      add(message("1"));
      assertThat(rung.await(30, TimeUnit.SECONDS)).isTrue();
    }
    store().resting("a", false);
  }

  @Test
  void nothingIsLostWhileWritersOverlap() {
    int writers = 6;
    int each = 40;
    Set<String> seen = new HashSet<>();
    Thread reader = Thread.ofPlatform().unstarted(() -> drain(seen, writers * each));
    reader.start();
    Racers.onPlatformThreads(
        writers,
        writer -> {
          for (int i = 0; i < each; i++) {
            add(message(writer + "-" + i, "key " + writer), message(writer + "-x" + i));
          }
          return true;
        });
    try {
      reader.join(Duration.ofSeconds(60));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(seen).hasSize(2 * writers * each);
    assertThat(readAll()).isEmpty();
  }

  /** Drains the outbox as a relay does, and checks the order of each key's messages. */
  private void drain(Set<String> seen, int ordered) {
    long deadline = System.nanoTime() + Duration.ofSeconds(50).toNanos();
    int[] next = new int[ordered];
    while (seen.size() < 2 * ordered && System.nanoTime() < deadline) {
      List<OutboxEntry> read = readAll();
      for (OutboxEntry queued : read) {
        if (queued.message().ordered()) {
          String[] id = queued.message().id().split("-", -1);
          int writer = Integer.parseInt(id[0]);
          if (Integer.parseInt(id[1]) != next[writer]++) {
            return; // the test then finds too few
          }
        }
        if (!seen.add(queued.message().id())) {
          return;
        }
      }
      store().published(read);
    }
  }
}
