package dev.semel.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.event.EventAudit.Finding;
import dev.semel.event.EventAudit.Problem;
import dev.semel.event.internal.MemoryEvents;
import dev.semel.event.spi.EventSink;
import dev.semel.event.spi.EventStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tampers with a log in every way there is, and sees that it is found. */
class EventAuditTest {
  private static final Key KEY = Key.of("payments", "ann@example.com");

  private final MemoryEvents memory = new MemoryEvents(InstantSource.system());
  private final List<EventLine> lines = new ArrayList<>();
  private String writer = "";
  private Runnable afterTheChainsWereRead = () -> {};

  @BeforeEach
  void fill() {
    EventSink sink = new EventSink(memory, InstantSource.system(), event -> false);
    for (int i = 1; i <= 6; i++) {
      sink.on(new Event.Fenced(KEY, "job_" + i, i, "renew"));
    }
    sink.flush();
    lines.addAll(memory.latest(EventStore.MAX_PAGE));
    writer = sink.writer();
  }

  /** The log as someone left it, with the chains as they were. */
  private List<Finding> findings() {
    EventStore tampered =
        new EventStore() {
          @Override
          public void append(List<EventLine> more) {
            throw new UnsupportedOperationException();
          }

          @Override
          public Page read(String cursor, int limit) {
            afterTheChainsWereRead.run();
            return new Page(cursor.isEmpty() ? lines : List.of(), "end");
          }

          @Override
          public String end() {
            return "end";
          }

          @Override
          public List<EventLine> latest(int limit) {
            return lines;
          }

          @Override
          public List<EventLine> about(Key key, int limit) {
            return lines;
          }

          @Override
          public Map<String, Chain> chains() {
            return memory.chains();
          }

          @Override
          public int erase(Key key) {
            return 0;
          }

          @Override
          public int trim(Duration age, long keep, int limit) {
            return 0;
          }
        };
    return EventAudit.verify(tampered, done -> {}).findings();
  }

  private static EventLine with(EventLine line, String details, EventLine.Personal personal) {
    return new EventLine(
        line.writer(),
        line.number(),
        line.atMillis(),
        line.kind(),
        line.tenant(),
        line.operation(),
        details,
        personal,
        line.commitment(),
        line.previous(),
        line.hash());
  }

  @Test
  void anUntouchedLogIsIntact() {
    assertThat(findings()).isEmpty();
  }

  @Test
  void aChangedLineIsFound() {
    lines.set(2, with(lines.get(2), "{\"attempt\":9}", lines.get(2).personal()));
    assertThat(findings()).containsExactly(new Finding(Problem.CHANGED, writer, 3));
  }

  @Test
  void aChangedIdIsFound() {
    EventLine.Personal before = lines.get(2).personal();
    EventLine.Personal other =
        new EventLine.Personal("bob@example.com", before.more(), before.salt());
    lines.set(2, with(lines.get(2), lines.get(2).details(), other));
    assertThat(findings()).containsExactly(new Finding(Problem.CHANGED, writer, 3));
  }

  @Test
  void aLineThatWasMadeUpWithAHashOfItsOwnIsFoundByItsNeighbours() {
    EventLine old = lines.get(2);
    EventLine madeUp =
        EventLine.next(with(old, "{\"attempt\":9}", old.personal()), 3, old.previous());
    lines.set(2, madeUp);
    assertThat(findings()).containsExactly(new Finding(Problem.NOT_LINKED, writer, 4));
  }

  @Test
  void aRemovedLineIsFound() {
    lines.remove(2);
    assertThat(findings()).containsExactly(new Finding(Problem.MISSING_BEFORE, writer, 4));
  }

  @Test
  void aRemovedBeginningIsFound() {
    lines.removeFirst();
    assertThat(findings()).containsExactly(new Finding(Problem.MISSING_BEFORE, writer, 2));
  }

  @Test
  void aRemovedEndIsFound() {
    lines.removeLast();
    assertThat(findings()).containsExactly(new Finding(Problem.MISSING_AT_END, writer, 5));
  }

  @Test
  void allOfAWriterRemovedIsFound() {
    lines.clear();
    assertThat(findings()).containsExactly(new Finding(Problem.MISSING_AT_END, writer, 0));
  }

  @Test
  void linesThatChangedPlacesAreFound() {
    Collections.swap(lines, 2, 3);
    assertThat(findings())
        .contains(
            new Finding(Problem.MISSING_BEFORE, writer, 4),
            new Finding(Problem.OUT_OF_ORDER, writer, 3));
  }

  @Test
  void aLineThatStandsThereTwiceIsFound() {
    lines.add(3, lines.get(2));
    assertThat(findings()).containsExactly(new Finding(Problem.OUT_OF_ORDER, writer, 3));
  }

  @Test
  void anErasedLineIsNoFindingAndTellsNothing() {
    memory.erase(KEY);
    lines.clear();
    lines.addAll(memory.latest(EventStore.MAX_PAGE));
    assertThat(lines).noneMatch(line -> line.toString().contains("ann"));
    assertThat(findings()).isEmpty();
  }

  @Test
  void aHalfErasedLineIsFound() {
    lines.set(1, with(lines.get(1), lines.get(1).details(), new EventLine.Personal("", "{}", "")));
    assertThat(findings()).containsExactly(new Finding(Problem.CHANGED, writer, 2));
  }

  @Test
  void linesThatAreTrimmedWhileItIsReadAreNoFindings() {
    lines.subList(0, 2).clear();
    afterTheChainsWereRead = () -> memory.trim(Duration.ofDays(1), 4, 100);
    assertThat(findings()).isEmpty();
    lines.clear();
    afterTheChainsWereRead = () -> memory.trim(Duration.ofDays(1), 0, 100);
    assertThat(findings()).isEmpty();
  }
}
