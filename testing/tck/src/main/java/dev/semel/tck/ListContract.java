package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyCatalog.Page;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.internal.Ids;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A listing returns exactly the records with the prefix, page by page, each once, unless the engine
 * may repeat some.
 */
abstract class ListContract extends ContractWords {
  /** A listing with more pages than this goes in circles. */
  private static final int MAX_PAGES = 100_000;

  private static final int MANY = 300;

  /** Each test uses a different tenant, so that it knows a listing's contents. */
  private final String tenant = "t" + Ids.uuid7();

  private Key key(String id) {
    return Key.of(tenant, "payments", id);
  }

  private List<KeyEntry> list(String prefix, int limit) {
    List<KeyEntry> all = new ArrayList<>();
    Set<Key> seen = new HashSet<>();
    Set<String> cursors = new HashSet<>();
    String cursor = "";
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      Page page = store().catalog().list(prefix, cursor, limit);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
      page.entries().stream()
          .filter(entry -> seen.add(entry.key()) || !store().listingMayRepeat())
          .forEach(all::add);
      cursor = page.next();
      if (cursor.isEmpty()) {
        return all;
      }
      assertThat(cursors.add(cursor)).as("the cursor %s came back", cursor).isTrue();
    }
    throw new AssertionError("the listing does not end");
  }

  private List<Key> listedKeys(String prefix, int limit) {
    return list(prefix, limit).stream().map(KeyEntry::key).toList();
  }

  @Test
  void everyKeyIsListedOnceOverManyPages() {
    List<Key> keys = IntStream.range(0, MANY).mapToObj(i -> key("order-" + i)).toList();
    keys.forEach(this::hold);
    assertThat(listedKeys(tenant + "/", 17)).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void pageSizeDoesNotChangeWhatIsListed() {
    List<Key> keys = IntStream.range(0, 20).mapToObj(i -> key("order-" + i)).toList();
    keys.forEach(this::hold);
    for (int limit : new int[] {1, 19, 20, 21, KeyCatalog.MAX_PAGE}) {
      assertThat(listedKeys(tenant + "/", limit))
          .as("listed %d at a time", limit)
          .containsExactlyInAnyOrderElementsOf(keys);
    }
  }

  @Test
  void noPageIsLargerThanTheLargest() {
    int writers = 8;
    int each = KeyCatalog.MAX_PAGE / writers + 1;
    Racers.onPlatformThreads(
        writers, w -> IntStream.range(0, each).mapToObj(i -> hold(key(w + "-" + i))).toList());
    Page page = store().catalog().list(tenant + "/", "", 5 * KeyCatalog.MAX_PAGE);
    assertThat(page.entries()).hasSizeBetween(0, KeyCatalog.MAX_PAGE);
    assertThat(list(tenant + "/", KeyCatalog.MAX_PAGE)).hasSize(writers * each);
  }

  @Test
  void nothingIsListedUnderAPrefixNobodyUses() {
    assertThat(list(tenant + "/", 10)).isEmpty();
  }

  @Test
  void tenantsPrefixNeverShowsAnotherTenantsKeys() {
    Key mine = key("mine");
    hold(mine);
    hold(Key.of(tenant + "2", "payments", "theirs"));
    hold(Key.of("payments", tenant + "/payments:theirs"));
    assertThat(listedKeys(tenant + "/", 10)).containsExactly(mine);
  }

  @Test
  void prefixNarrowsToAnOperationAndToIds() {
    Key wanted = key("order-1");
    hold(wanted);
    hold(key("invoice-1"));
    hold(Key.of(tenant, "refunds", "order-1"));
    assertThat(listedKeys(tenant + "/payments:", 10)).hasSize(2);
    assertThat(listedKeys(tenant + "/payments:ord", 10)).containsExactly(wanted);
    assertThat(listedKeys(wanted.text(), 10)).containsExactly(wanted);
    assertThat(listedKeys(wanted.text() + "0", 10)).isEmpty();
  }

  @Test
  void prefixIsCaseSensitive() {
    Key wanted = key("Order");
    hold(wanted);
    hold(key("order"));
    assertThat(listedKeys(tenant + "/payments:O", 10)).containsExactly(wanted);
  }

  @Test
  void patternSignsInAPrefixAreTakenLiterally() {
    for (String id : List.of("a%b", "a_b", "a*b", "a?b", "a[b]", "a\\b", "a^b", "a{b}", "axb")) {
      hold(key(id));
    }
    for (String id : List.of("a%", "a_", "a*", "a?", "a[b]", "a[", "a\\", "a^", "a{")) {
      assertThat(listedKeys(tenant + "/payments:" + id, 10)).as("the prefix %s", id).hasSize(1);
    }
    for (String none : List.of("%", "_", "*", "?", "[a-z]", "[^x]", "a\\\\", "\\a")) {
      assertThat(listedKeys(tenant + "/payments:" + none, 10)).as("the prefix %s", none).isEmpty();
    }
  }

  @Test
  void awkwardIdsAreListedAsTheyAre() {
    List<Key> keys = AwkwardIds.ALL.stream().map(this::key).toList();
    keys.forEach(this::hold);
    assertThat(listedKeys(tenant + "/", 5)).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void listingShowsEachRecordsState() {
    Token inFlight = hold(key("in flight"));
    complete(key("completed"), hold(key("completed")));
    fail(key("failed"), hold(key("failed")));
    release(key("released"), hold(key("released")));
    assertThat(list(tenant + "/", 10))
        .extracting(e -> e.key().id(), e -> e.existing().state())
        .containsExactlyInAnyOrder(
            tuple("in flight", RecordState.IN_FLIGHT),
            tuple("completed", RecordState.COMPLETED),
            tuple("failed", RecordState.FAILED),
            tuple("released", RecordState.RELEASED));
    KeyEntry held = list(key("in flight").text(), 10).get(0);
    assertThat(held.existing().token()).isEqualTo(inFlight);
    assertThat(held.existing().fingerprint()).isEqualTo(REQUEST);
    assertThat(held.existing().original().attempt()).isEqualTo(1);
    assertThat(held.leaseEnded()).isFalse();
  }

  @Test
  void listingShowsThatALeaseEnded() {
    holdUntilLeaseEnded(key("silent"));
    assertThat(list(tenant + "/", 10)).singleElement().matches(KeyEntry::leaseEnded);
  }

  @Test
  void endedRecordsAreNotListed() {
    Key kept = key("kept");
    hold(kept);
    hold(key("ended"), LEASE, LEASE);
    store().elapse(LEASE);
    assertThat(listedKeys(tenant + "/", 10)).containsExactly(kept);
  }

  @Test
  void keysThatStayThroughoutAreListedWhileOthersComeAndGo() {
    List<Key> stay = IntStream.range(0, 50).mapToObj(i -> key("stay-" + i)).toList();
    stay.forEach(this::hold);
    List<Key> go = IntStream.range(0, 50).mapToObj(i -> key("go-" + i)).toList();
    go.forEach(this::hold);
    List<Key> listed = new ArrayList<>();
    String cursor = "";
    int turn = 0;
    do {
      Page page = store().catalog().list(tenant + "/", cursor, 10);
      page.entries().forEach(entry -> listed.add(entry.key()));
      cursor = page.next();
      if (turn < go.size()) {
        store().catalog().delete(go.get(turn));
        hold(key("come-" + turn));
      }
      turn++;
    } while (!cursor.isEmpty() && turn < MAX_PAGES);
    assertThat(listed).containsAll(stay);
  }
}
