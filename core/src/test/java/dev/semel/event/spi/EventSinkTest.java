package dev.semel.event.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.EventAudit;
import dev.semel.event.EventLine;
import dev.semel.event.internal.MemoryEvents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventSinkTest {
  private static final Key KEY = Key.of("acme", "payments", "ann@example.com");

  private final MemoryEvents memory = new MemoryEvents(InstantSource.system());
  private final Failing store = new Failing(memory);
  private final EventSink sink = new EventSink(store, InstantSource.system(), event -> false);

  /** Appends, and fails to say so or at all. */
  private static final class Failing implements EventStore {
    private final EventStore store;
    boolean away;
    boolean answersLost;

    Failing(EventStore store) {
      this.store = store;
    }

    @Override
    public void append(List<EventLine> lines) {
      if (away) {
        throw new StoreException("away");
      }
      assertThat(lines).hasSizeLessThanOrEqualTo(MAX_BATCH);
      store.append(lines);
      if (answersLost) {
        throw new StoreException("the answer was lost");
      }
    }

    @Override
    public Page read(String cursor, int limit) {
      return store.read(cursor, limit);
    }

    @Override
    public String end() {
      return store.end();
    }

    @Override
    public List<EventLine> latest(int limit) {
      return store.latest(limit);
    }

    @Override
    public List<EventLine> about(Key key, int limit) {
      return store.about(key, limit);
    }

    @Override
    public Map<String, Chain> chains() {
      return store.chains();
    }

    @Override
    public int erase(Key key) {
      return store.erase(key);
    }

    @Override
    public int trim(Duration age, long keep, int limit) {
      return store.trim(age, keep, limit);
    }
  }

  private static Event fenced(int attempt) {
    return new Event.Fenced(KEY, "job_1", attempt, "renew");
  }

  private List<EventLine> kept() {
    return memory.latest(EventStore.MAX_PAGE);
  }

  @Test
  void eventsBecomeLinesOfOneChain() {
    sink.on(new Event.Claimed(KEY, "job_1", 1));
    sink.on(fenced(1));
    sink.flush();
    assertThat(kept()).extracting(EventLine::kind).containsExactly("claimed", "fenced");
    assertThat(kept().getLast().details()).isEqualTo("{\"attempt\":1,\"step\":\"renew\"}");
    assertThat(kept().getLast().personal().more()).isEqualTo("{\"request\":\"job_1\"}");
    assertThat(kept().getLast().previous()).isEqualTo(kept().getFirst().hash());
    assertThat(EventAudit.verify(memory, done -> {}).intact()).isTrue();
  }

  @Test
  void whatIsTooMuchIsCountedAndSaysSoItself() {
    IntStream.range(0, EventSink.MAX_NOTABLE + 7).forEach(i -> sink.on(fenced(i)));
    sink.flush();
    assertThat(memory.chains().values())
        .extracting(EventStore.Chain::last)
        .containsExactly(EventSink.MAX_NOTABLE + 1L);
    assertThat(kept().getLast().kind()).isEqualTo("skipped");
    assertThat(kept().getLast().details()).isEqualTo("{\"count\":7,\"notable\":7}");
    assertThat(sink.skipped()).isEqualTo(7);
    sink.on(fenced(1));
    sink.flush();
    assertThat(kept().getLast().kind()).isEqualTo("fenced");
  }

  @Test
  void theUsualDoesNotCrowdOutTheUnusual() {
    IntStream.range(0, 100_000).forEach(i -> sink.on(new Event.Claimed(KEY, "", 1)));
    sink.on(fenced(1));
    sink.flush();
    assertThat(kept()).extracting(EventLine::kind).contains("fenced");
    assertThat(sink.skipped()).isEqualTo(100_000 - EventSink.MAX_ROUTINE);
  }

  @Test
  void messagesAndExecutionsDoNotCrowdOutEachOther() {
    Event.Mention message = new Event.Mention("m", "orders", "", "");
    IntStream.range(0, 1000).forEach(i -> sink.on(new Event.Published(message, false)));
    sink.on(new Event.Claimed(KEY, "", 1));
    sink.flush();
    assertThat(kept()).extracting(EventLine::kind).contains("claimed");
    assertThat(sink.skipped()).isEqualTo(1000 - EventSink.MAX_ROUTINE);
  }

  @Test
  void aMessageIsOnTheLifeLineOfTheKeyThatSentIt() {
    sink.on(new Event.Claimed(KEY, "", 1));
    sink.on(new Event.Published(new Event.Mention("m1", "orders", "", KEY.text()), true));
    sink.on(new Event.DeadLettered(new Event.Mention("m1", "orders", "ledger", KEY.text()), "no"));
    sink.on(new Event.Consumed(new Event.Mention("m2", "orders", "ledger", "")));
    sink.flush();
    List<EventLine> line = memory.about(KEY, 10);
    assertThat(line)
        .extracting(EventLine::kind)
        .containsExactly("claimed", "published", "dead-lettered");
    assertThat(line.get(1).details()).isEqualTo("{\"destination\":\"orders\",\"duplicate\":true}");
    assertThat(line.get(2).details())
        .isEqualTo("{\"destination\":\"orders\",\"consumer\":\"ledger\"}");
    assertThat(line.get(2).personal().more()).isEqualTo("{\"message\":\"m1\",\"error\":\"no\"}");
    assertThat(memory.erase(KEY)).isEqualTo(3);
    assertThat(kept()).noneMatch(each -> each.toString().contains("m1"));
  }

  @Test
  void whatCouldNotBeAppendedComesLaterAndOnce() {
    sink.on(fenced(1));
    store.away = true;
    assertThatThrownBy(sink::flush).isInstanceOf(StoreException.class);
    sink.on(fenced(2));
    store.away = false;
    store.answersLost = true;
    assertThatThrownBy(sink::flush).isInstanceOf(StoreException.class);
    store.answersLost = false;
    sink.flush();
    assertThat(kept()).extracting(EventLine::number).containsExactly(1L, 2L);
    assertThat(EventAudit.verify(memory, done -> {}).intact()).isTrue();
  }

  @Test
  void whileTheStoreIsAwayMemoryStaysBounded() {
    store.away = true;
    int flushes = EventSink.MAX_WAITING / EventSink.MAX_NOTABLE + 3;
    for (int flush = 0; flush < flushes; flush++) {
      IntStream.range(0, EventSink.MAX_NOTABLE).forEach(i -> sink.on(fenced(i)));
      assertThatThrownBy(sink::flush).isInstanceOf(StoreException.class);
    }
    store.away = false;
    sink.flush();
    assertThat(memory.chains().values())
        .extracting(EventStore.Chain::last)
        .allMatch(last -> last <= EventSink.MAX_WAITING + 1);
    assertThat(sink.skipped()).isPositive();
    assertThat(EventAudit.verify(memory, done -> {}).intact()).isTrue();
  }

  @Test
  void maskedIdsNameNobodyButStillGoTogether() {
    EventSink masking = new EventSink(memory, InstantSource.system(), event -> true);
    masking.on(fenced(1));
    masking.on(fenced(2));
    masking.flush();
    assertThat(kept()).noneMatch(line -> line.toString().contains("ann"));
    assertThat(kept()).noneMatch(line -> line.toString().contains("job_1"));
    assertThat(kept())
        .extracting(line -> line.personal().id())
        .containsOnly(kept().getFirst().personal().id());
    assertThat(EventAudit.verify(memory, done -> {}).intact()).isTrue();
  }
}
