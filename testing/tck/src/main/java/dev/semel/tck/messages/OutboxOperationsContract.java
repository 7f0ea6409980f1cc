package dev.semel.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxOperations.DestinationStatus;
import dev.semel.outbox.spi.OutboxOperations.Entry;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.Page;
import dev.semel.outbox.spi.OutboxOperations.RelayStatus;
import dev.semel.outbox.spi.OutboxOperations.State;
import dev.semel.outbox.spi.OutboxOperations.Status;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@link OutboxOperations} promises to an operator. Extend it to test an outbox.
 */
public abstract class OutboxOperationsContract extends OutboxEditContract {
  private static Filter to(String destination) {
    return new Filter(destination, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Filter id(String id) {
    return new Filter("", Optional.of(id), Optional.empty(), Optional.empty());
  }

  @Test
  void emptyOutboxSaysSo() {
    Status status = operations().status();
    assertThat(status).isEqualTo(new Status(0, 0, 0, 0, Optional.empty(), List.of(), List.of()));
    assertThat(operations().list(State.PENDING, Filter.ALL, "", 10))
        .isEqualTo(new Page(List.of(), ""));
  }

  @Test
  void statusCountsEverything() {
    beat("a", LONG);
    add(message("1"), message("2"), message("3"), message("4"));
    add(Message.of("mails", "x").withId("5"));
    outbox().elapse(Duration.ofMillis(100));
    store().published(List.of(read("1")));
    store().bury("a", read("2"), "refused");
    store().failed("a", read("3"), "busy", LONG);
    Status status = operations().status();
    assertThat(status.pending()).isEqualTo(3);
    assertThat(status.failing()).isOne();
    assertThat(status.dead()).isOne();
    assertThat(status.kept()).isOne();
    assertThat(status.oldest().orElseThrow()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    assertThat(status.destinations())
        .extracting(DestinationStatus::destination)
        .containsExactly("orders", "mails");
    assertThat(status.destinations().getFirst().pending()).isEqualTo(2);
    assertThat(status.destinations().getFirst().dead()).isOne();
  }

  @Test
  void statusKnowsTheRelaysThatLive() {
    store().heartbeat("a", LONG, new RelayCounts(10, 1, 2, 3, 4));
    store().heartbeat("late", SHORT, RelayCounts.NONE);
    outbox().elapse(SHORT);
    RelayCounts counts = new RelayCounts(1010, 1, 2, 3, 4);
    store().heartbeat("a", LONG, counts);
    List<RelayStatus> relays = operations().status().relays();
    assertThat(relays).extracting(RelayStatus::relay).containsExactly("a");
    assertThat(relays.getFirst().partitions()).isEqualTo(OutboxStore.PARTITIONS);
    assertThat(relays.getFirst().counts()).isEqualTo(counts);
    assertThat(relays.getFirst().perSecond()).isBetween(1.0, 3400.0);
    assertThat(relays.getFirst().lastSeen()).isLessThan(Duration.ofMinutes(5));
  }

  @Test
  void listingGoesThroughAllPages() {
    add(IntStream.range(0, 25).mapToObj(i -> message("m" + i, "key " + i)).toArray(Message[]::new));
    List<String> all = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      Page page = operations().list(State.PENDING, Filter.ALL, cursor, 10);
      page.entries().forEach(entry -> all.add(entry.id()));
      cursor = page.cursor();
      pages++;
    } while (!cursor.isEmpty());
    assertThat(pages).isEqualTo(3);
    assertThat(all).hasSize(25).doesNotHaveDuplicates();
  }

  @Test
  void listingShowsEverythingButThePayload() {
    beat("a", LONG);
    add(Message.of("orders", "12345").withId("1").withOrderingKey("k").withType("created"));
    store().failed("a", read("1"), "it was busy", LONG);
    Entry entry = operations().list(State.PENDING, Filter.ALL, "", 10).entries().getFirst();
    assertThat(entry)
        .isEqualTo(
            new Entry(
                read("1").place(),
                State.PENDING,
                "1",
                "orders",
                "k",
                "created",
                5,
                1,
                entry.since(),
                "it was busy"));
  }

  @Test
  void listingIsFiltered() {
    add(message("1"), message("2"), Message.of("mails", "x").withId("3"));
    assertThat(listed(State.PENDING, to("mails"))).containsExactly("3");
    assertThat(listed(State.PENDING, id("2"))).containsExactly("2");
    Instant since = operations().list(State.PENDING, id("2"), "", 1).entries().getFirst().since();
    Filter later =
        new Filter("", Optional.empty(), Optional.of(since.plusSeconds(60)), Optional.empty());
    Filter earlier = new Filter("", Optional.empty(), Optional.empty(), Optional.of(since));
    Filter then =
        new Filter("", Optional.empty(), Optional.of(since), Optional.of(since.plusSeconds(60)));
    assertThat(listed(State.PENDING, later)).isEmpty();
    assertThat(listed(State.PENDING, earlier)).doesNotContain("2");
    assertThat(listed(State.PENDING, then)).contains("2");
  }

  @Test
  void messagesOfAKeyAreFoundWhereverTheyAre() {
    Key odd = Key.of("acme", "pay_ments", "100%_\"quoted\"\\!é");
    beat("a", LONG);
    add(message("1").withKey(odd), message("2").withKey(odd), message("3").withKey(odd));
    add(message("4").withKey(Key.of("acme", "pay_ments", "100%_\"QUOTED\"\\!é")));
    add(message("5").withKey(Key.of("acme", "pay_ments", "100%x\"quoted\"\\!é")));
    add(message("6").withHeader("other", odd.text()), message("7"));
    store().published(List.of(read("1")));
    store().bury("a", read("2"), "refused");
    List<Entry> found = operations().about(odd, 10);
    assertThat(found).extracting(Entry::id).containsExactly("3", "2", "1");
    assertThat(found)
        .extracting(Entry::state)
        .containsExactly(State.PENDING, State.DEAD, State.PUBLISHED);
    assertThat(found.get(1).reason()).isEqualTo("refused");
    assertThat(operations().about(odd, 2)).extracting(Entry::id).containsExactly("3", "2");
    assertThat(operations().about(Key.of("acme", "pay_ments", "100"), 10)).isEmpty();
  }

  @Test
  void cursorOfSomethingElseIsRefused() {
    assertThatThrownBy(() -> operations().list(State.DEAD, Filter.ALL, "'; --", 10))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("cursor");
  }

  @Test
  void deadLettersAreTriedAgainAsNew() {
    add(message("1", "key"), message("2", "key"));
    bury("1");
    assertThat(listed(State.DEAD, Filter.ALL)).containsExactly("1");
    assertThat(operations().retry(Filter.ALL)).isOne();
    assertThat(listed(State.DEAD, Filter.ALL)).isEmpty();
    List<OutboxEntry> queue = store().read(List.of(all(OutboxStore.partition("key"))), 10);
    assertThat(ids(queue)).containsExactly("2", "1");
    assertThat(queue.getLast().attempts()).isZero();
    assertThat(new String(queue.getLast().message().payload(), StandardCharsets.UTF_8))
        .isEqualTo("payload of 1");
    assertThat(store().retrying(Set.of(OutboxStore.partition("key")))).isEmpty();
  }

  @Test
  void failingMessagesAreTriedAtOnce() {
    Set<Integer> mine = beat("a", LONG);
    add(message("1"), message("2"));
    store().failed("a", read("1"), "busy", LONG);
    store().failed("a", read("2"), "busy", LONG);
    assertThat(operations().retriable(id("1"))).isOne();
    assertThat(operations().retriable(Filter.ALL)).isEqualTo(2);
    assertThat(operations().retry(id("1"))).isOne();
    assertThat(operations().retriable(Filter.ALL)).as("one is due already").isOne();
    assertThat(store().retrying(mine))
        .filteredOn(r -> !r.due().isPositive())
        .extracting(r -> r.place())
        .containsExactly(read("1").place());
  }

  @Test
  void manyDeadLettersKeepTheirOrder() {
    beat("a", LONG);
    add(IntStream.range(0, 20).mapToObj(i -> message("m" + i, "key")).toArray(Message[]::new));
    List<OutboxEntry> before = readAll();
    before.forEach(queued -> store().bury("a", queued, "refused"));
    assertThat(operations().retriable(to("mails"))).isZero();
    assertThat(operations().retriable(to("orders"))).isEqualTo(20);
    assertThat(operations().retry(to("orders"))).isEqualTo(20);
    assertThat(ids(readAll())).isEqualTo(ids(before));
  }

  @Test
  void publishedMessagesAreReplayedAsTheSame() {
    add(message("1", "key"), message("2", "key"));
    store().published(readAll());
    assertThat(operations().replay(id("1"), false)).isOne();
    assertThat(ids(readAll())).containsExactly("1");
    assertThat(listed(State.PUBLISHED, Filter.ALL)).containsExactly("2");
    store().published(readAll());
    assertThat(listed(State.PUBLISHED, Filter.ALL)).containsExactly("2", "1");
  }

  @Test
  void publishedMessagesAreReplayedAsOthers() {
    add(message("1", "key").withHeader("h", "v"));
    store().published(readAll());
    assertThat(operations().replay(Filter.ALL, true)).isOne();
    OutboxEntry again = readAll().getFirst();
    assertThat(again.message().id()).isNotEqualTo("1").isNotEmpty();
    assertThat(again.message().withId("1"))
        .usingRecursiveComparison()
        .isEqualTo(message("1", "key").withHeader("h", "v"));
    assertThat(listed(State.PUBLISHED, Filter.ALL)).containsExactly("1");
  }

  @Test
  void purgeTakesWhatIsNamedAndNothingElse() {
    add(message("1"), message("2"), message("3"), Message.of("mails", "x").withId("4"));
    store().published(List.of(read("1"), read("4")));
    bury("2");
    assertThat(operations().purge(State.PUBLISHED, to("orders"))).isOne();
    assertThat(listed(State.PUBLISHED, Filter.ALL)).containsExactly("4");
    assertThat(operations().purge(State.DEAD, Filter.ALL)).isOne();
    assertThat(operations().purge(State.DEAD, Filter.ALL)).isZero();
    assertThat(operations().purge(State.PUBLISHED, Filter.ALL)).isOne();
    assertThat(ids(readAll())).containsExactly("3");
  }

  @Test
  void purgeNeverTouchesWhatWasNotSent() {
    add(message("1"));
    assertThatThrownBy(() -> operations().purge(State.PENDING, Filter.ALL))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("never purged");
    assertThat(ids(readAll())).containsExactly("1");
  }
}
