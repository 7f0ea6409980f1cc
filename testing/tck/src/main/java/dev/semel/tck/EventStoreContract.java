package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.event.EventAudit;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Everything that {@link EventStore} promises. Extend it to test a store. */
public abstract class EventStoreContract extends ContractWords {
  private static final int WRITERS = 6;
  private static final int LINES_EACH = 40;

  private EventStore events() {
    return store().store().events();
  }

  private static List<Key> freshKeys(int count) {
    return IntStream.range(0, count).mapToObj(i -> freshKey()).toList();
  }

  private static String writer(List<EventLine> lines) {
    return lines.getFirst().writer();
  }

  private List<EventLine> read(String writer) {
    return EventLog.read(events(), "", writer);
  }

  @Test
  void linesComeBackInOrderWordForWord() {
    List<Key> keys = new ArrayList<>();
    AwkwardIds.ALL.forEach(id -> keys.add(new Key(new Tenant("a.b"), new Operation("c_d"), id)));
    keys.add(Key.of("long", "x".repeat(200)));
    List<EventLine> lines = EventLog.lines(keys);
    events().append(lines.subList(0, 5));
    events().append(lines.subList(5, lines.size()));
    assertThat(read(writer(lines))).isEqualTo(lines);
  }

  @Test
  void aBatchThatIsSentAgainIsNotAppendedTwice() {
    List<EventLine> lines = EventLog.lines(freshKeys(6));
    events().append(lines.subList(0, 3));
    events().append(lines.subList(0, 3));
    events().append(lines.subList(1, 6));
    assertThat(read(writer(lines))).isEqualTo(lines);
  }

  @Test
  void aFullBatchFits() {
    List<EventLine> lines = EventLog.lines(freshKeys(EventStore.MAX_BATCH));
    events().append(lines);
    assertThat(read(writer(lines))).isEqualTo(lines);
  }

  @Test
  void readingFromTheEndGivesOnlyWhatComesLater() {
    List<EventLine> lines = EventLog.lines(freshKeys(4));
    events().append(lines.subList(0, 2));
    String end = events().end();
    assertThat(EventLog.read(events(), end, writer(lines))).isEmpty();
    events().append(lines.subList(2, 4));
    assertThat(EventLog.read(events(), end, writer(lines))).isEqualTo(lines.subList(2, 4));
  }

  @Test
  void aReaderThatReadsOnSeesEveryLineOnceWhoeverAppends() {
    String start = events().end();
    List<List<EventLine>> written =
        IntStream.range(0, WRITERS).mapToObj(i -> EventLog.lines(freshKeys(LINES_EACH))).toList();
    AtomicInteger writing = new AtomicInteger(WRITERS);
    List<EventLine> seen = new ArrayList<>();
    Racers.onPlatformThreads(
        WRITERS + 1,
        racer -> {
          if (racer < WRITERS) {
            written.get(racer).forEach(line -> events().append(List.of(line)));
            return writing.decrementAndGet();
          }
          String cursor = start;
          boolean last;
          do {
            last = writing.get() == 0;
            EventStore.Page page = events().read(cursor, EventStore.MAX_PAGE);
            seen.addAll(page.lines());
            cursor = page.next();
          } while (!last);
          return 0;
        });
    Set<String> writers = new HashSet<>();
    for (List<EventLine> lines : written) {
      writers.add(writer(lines));
      assertThat(seen).filteredOn(line -> line.writer().equals(writer(lines))).isEqualTo(lines);
    }
    assertThat(seen)
        .filteredOn(line -> writers.contains(line.writer()))
        .hasSize(WRITERS * LINES_EACH);
  }

  @Test
  void theNewestLinesAndThoseOfOneKeyAreFound() {
    Key key = freshKey();
    Key awkward = Key.of("payments", "it's {a} 100% _x " + Ids.uuid7());
    List<EventLine> lines = EventLog.lines(List.of(freshKey(), key, awkward, freshKey(), key));
    events().append(lines);
    assertThat(events().latest(2)).isEqualTo(lines.subList(3, 5));
    assertThat(events().about(key, 10)).containsExactly(lines.get(1), lines.get(4));
    assertThat(events().about(key, 1)).containsExactly(lines.get(4));
    assertThat(events().about(awkward, 10)).containsExactly(lines.get(2));
    assertThat(events().about(freshKey(), 10)).isEmpty();
  }

  @Test
  void chainsKnowWhereTheyBeginAndEnd() {
    List<EventLine> lines = EventLog.lines(freshKeys(3));
    events().append(lines.subList(0, 2));
    events().append(lines.subList(2, 3));
    assertThat(events().chains())
        .containsEntry(
            writer(lines), new EventStore.Chain(1, EventLine.FIRST, 3, lines.get(2).hash()));
  }

  @Test
  void aGapIsTakenAndShows() {
    List<EventLine> lines = EventLog.lines(freshKeys(5));
    events().append(lines.subList(0, 2));
    events().append(lines.subList(4, 5));
    assertThat(findings(writer(lines)))
        .containsExactly(
            new EventAudit.Finding(EventAudit.Problem.MISSING_BEFORE, writer(lines), 5));
  }

  private List<EventAudit.Finding> findings(String writer) {
    return EventAudit.verify(events(), done -> {}).findings().stream()
        .filter(finding -> finding.writer().equals(writer))
        .toList();
  }

  @Test
  void erasingAKeyLeavesItsLinesInTheChain() {
    Key key = freshKey();
    List<EventLine> lines = EventLog.lines(List.of(key, freshKey(), key));
    events().append(lines);
    assertThat(events().erase(key)).isEqualTo(2);
    assertThat(events().erase(key)).isZero();
    assertThat(events().about(key, 10)).isEmpty();
    assertThat(read(writer(lines)))
        .containsExactly(lines.get(0).erased(), lines.get(1), lines.get(2).erased())
        .allMatch(EventLine::intact);
    assertThat(findings(writer(lines))).isEmpty();
  }

  @Test
  void trimmingTakesTheOldestAndMovesTheBeginningOfTheirChains() {
    List<EventLine> first = EventLog.lines(freshKeys(4));
    List<EventLine> second = EventLog.lines(freshKeys(3));
    trimAll();
    events().append(first.subList(0, 2));
    events().append(second);
    events().append(first.subList(2, 4));
    assertThat(events().trim(Duration.ofDays(1), 7, 100)).isZero();
    assertThat(events().trim(Duration.ofDays(1), 6, 100)).isEqualTo(1);
    assertThat(events().trim(Duration.ofDays(1), 2, 2)).isEqualTo(2);
    assertThat(events().trim(Duration.ofDays(1), 2, 100)).isEqualTo(2);
    assertThat(events().read("", 10).lines()).isEqualTo(first.subList(2, 4));
    assertThat(events().chains())
        .isEqualTo(
            Map.of(
                writer(first),
                new EventStore.Chain(3, first.get(1).hash(), 4, first.get(3).hash())));
    assertThat(EventAudit.verify(events(), done -> {}).intact()).isTrue();
  }

  @Test
  void trimmingTakesWhatIsTooOld() {
    trimAll();
    List<EventLine> lines = EventLog.lines(freshKeys(3));
    events().append(lines.subList(0, 2));
    store().elapse(LEASE.plusMillis(1));
    events().append(lines.subList(2, 3));
    assertThat(events().trim(Duration.ofDays(1), 100, 100)).isZero();
    // On a slow machine the third line may be old enough by now, too.
    assertThat(events().trim(LEASE, 100, 100)).isGreaterThanOrEqualTo(2);
    assertThat(events().read("", 10).lines()).isSubsetOf(lines.get(2));
    store().elapse(LEASE.plusMillis(1));
    events().trim(LEASE, 100, 100);
    assertThat(events().read("", 10).lines()).isEmpty();
    assertThat(events().chains()).isEmpty();
  }

  @Test
  void aCursorOutlivesTrimming() {
    List<EventLine> lines = EventLog.lines(freshKeys(4));
    events().append(lines.subList(0, 2));
    String end = events().end();
    trimAll();
    events().append(lines.subList(2, 4));
    assertThat(EventLog.read(events(), end, writer(lines))).isEqualTo(lines.subList(2, 4));
    assertThat(findings(writer(lines))).isEmpty();
  }

  private void trimAll() {
    while (events().trim(Duration.ofDays(1), 0, 1000) > 0) {
      // until nothing is left
    }
  }
}
