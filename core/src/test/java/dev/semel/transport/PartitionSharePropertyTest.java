package dev.semel.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.PartitionShare;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Members come, go, die, and sleep past their leases with messages in their hands, while the
 * database loses answers: the positions alone let each message take effect once, in order.
 */
class PartitionSharePropertyTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int PARTITIONS = 5;
  private static final int PER_PARTITION = 60;
  private static final int STEPS = 6_000;

  private final ManualMachine platform = new ManualMachine();
  private final MemoryPositions positions = new MemoryPositions(platform::nanos);
  private final Map<String, List<Message>> log = new TreeMap<>();

  /** Written by the transactions that moved the positions. */
  private final Map<String, List<String>> effects = new HashMap<>();

  private final Set<String> ids = new HashSet<>();
  private boolean idsAreKnown;

  private final class Member {
    final PartitionBuffer buffer =
        new PartitionBuffer(platform, SubscribeSettings.defaults(), true, places -> {});
    final PartitionShare share =
        PartitionShare.start(
            platform, positions, new PartitionShare.Terms("c", log.keySet(), LEASE), buffer);
    List<Delivery> inHand = List.of();

    void receive(Random random) {
      share.update();
      for (String partition : buffer.partitions()) {
        String fetched = buffer.fetched(partition);
        int at = fetched.isEmpty() ? 0 : Integer.parseInt(fetched);
        for (int i = at; i < Math.min(PER_PARTITION, at + random.nextInt(4)); i++) {
          buffer.add(partition, "" + (i + 1), log.getOrDefault(partition, List.of()).get(i));
        }
      }
      inHand = buffer.take(1 + random.nextInt(8));
    }

    /** Effects and positions in one transaction, whose answer may be lost. */
    void commit(Random random) {
      List<Delivery> batch = inHand;
      inHand = List.of();
      List<LogPosition> places = batch.stream().map(each -> each.place().orElseThrow()).toList();
      int good = random.nextInt(4) == 0 ? random.nextInt(batch.size() + 1) : batch.size();
      try {
        transact(batch.subList(0, good), LogPosition.reached(places, i -> i < good));
      } catch (StoreException e) {
        batch.forEach(each -> each.retry(pause(random)));
        share.reposition();
        return;
      }
      buffer.acknowledge(batch.subList(0, good));
      batch.subList(good, batch.size()).forEach(each -> each.retry(pause(random)));
    }

    /** Others overtake what pauses, without moving the position: their ids must be known. */
    private Duration pause(Random random) {
      return Duration.ofMillis(idsAreKnown ? random.nextInt(2_000) : 0);
    }

    private void transact(List<Delivery> batch, List<LogPosition> steps) {
      boolean lost = positions.answersAreLost;
      positions.answersAreLost = false;
      positions.advance("c", steps);
      positions.answersAreLost = lost;
      for (Delivery each : batch) {
        if (ids.add(each.message().id()) || !idsAreKnown) {
          effects
              .computeIfAbsent(each.message().orderingKey(), key -> new ArrayList<>())
              .add(new String(each.message().payload(), StandardCharsets.UTF_8));
        }
      }
      if (lost) {
        throw new StoreException("the answer was lost");
      }
    }
  }

  private void fillLog() {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Message> messages = new ArrayList<>();
      for (int i = 0; i < PER_PARTITION; i++) {
        String key = partition + "/" + i % 3;
        messages.add(Message.of("orders", "%03d".formatted(i)).withOrderingKey(key));
      }
      log.put("lane-" + partition, messages);
    }
  }

  private boolean done() {
    return effects.values().stream().mapToInt(List::size).sum() >= PARTITIONS * PER_PARTITION;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 20260, 990017})
  void positionsAloneLetEachMessageTakeEffectOnceAndInOrder(long seed) {
    run(seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 20261, 990018})
  void whereSomeAreOvertakenKnownIdsAddToThat(long seed) {
    idsAreKnown = true;
    run(seed);
  }

  private void run(long seed) {
    fillLog();
    Random random = new Random(seed);
    List<Member> members = new ArrayList<>();
    for (int step = 0; step < STEPS && !done(); step++) {
      positions.answersAreLost = random.nextInt(8) == 0;
      positions.away = random.nextInt(40) == 0;
      platform.pass(Duration.ofMillis(random.nextInt(30) == 0 ? 11_000 : random.nextInt(900)));
      try {
        step(random, members);
      } catch (StoreException e) {
        // comes again
      }
    }
    assertThat(done()).as("seed %d: %s", seed, effects).isTrue();
    effects.forEach(
        (key, texts) -> {
          assertThat(texts).as("seed %d, key %s", seed, key).hasSize(PER_PARTITION / 3).isSorted();
          assertThat(texts).doesNotHaveDuplicates();
        });
  }

  private void step(Random random, List<Member> members) {
    if (members.isEmpty() || (members.size() < 4 && random.nextInt(25) == 0)) {
      members.add(new Member());
      return;
    }
    Member member = members.get(random.nextInt(members.size()));
    int chance = random.nextInt(60);
    if (chance == 0) {
      members.remove(member); // it died, and says nothing
    } else if (chance == 1) {
      members.remove(member);
      member.share.close();
    } else if (member.inHand.isEmpty()) {
      member.receive(random);
    } else {
      member.commit(random);
    }
  }
}
