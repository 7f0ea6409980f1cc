package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.redis.internal.KeyScan;
import dev.semel.testservices.RedisService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server without other tests, so that a scan finds only this test's keys. */
@Tag("service")
class RedisListingTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static RedisService redis;
  private static RedisUnderTest store;

  @BeforeAll
  static void open() {
    redis = RedisService.start("--appendonly", "no");
    store = new RedisUnderTest(redis);
  }

  @AfterAll
  static void close() {
    store.close();
    redis.close();
  }

  @BeforeEach
  void forgetAll() {
    store.commands().flushall();
  }

  private static List<Key> complete(int count, Payload response) {
    List<Key> keys =
        IntStream.range(0, count).mapToObj(i -> Key.of("payments", "order-" + i)).toList();
    for (Key key : keys) {
      Token token = Token.draw();
      store
          .idempotency()
          .claim(
              new ClaimRequest(
                  key, token, Fingerprint.NONE, HOUR, HOUR, TakeoverPolicy.IN_DOUBT, ""));
      store.idempotency().complete(key, token, ExecutionEnd.completed(response), HOUR);
    }
    return keys;
  }

  private static List<KeyCatalog.Page> pages(int limit) {
    List<KeyCatalog.Page> pages = new ArrayList<>();
    String cursor = "";
    do {
      KeyCatalog.Page page = store.catalog().list("default/", cursor, limit);
      pages.add(page);
      cursor = page.next();
    } while (!cursor.isEmpty());
    return pages;
  }

  private static List<Key> keys(List<KeyCatalog.Page> pages) {
    return pages.stream().flatMap(p -> p.entries().stream()).map(KeyEntry::key).toList();
  }

  @Test
  void pageThatCanNotHoldAWholeScanGoesOnWithinIt() {
    List<Key> all = complete(500, Payload.EMPTY);
    for (int limit : new int[] {1, 2, 7}) {
      List<KeyCatalog.Page> pages = pages(limit);
      assertThat(pages).allMatch(page -> page.entries().size() <= limit);
      assertThat(pages).as("some scan gave more than fits").anyMatch(p -> p.next().contains(","));
      assertThat(keys(pages)).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  @Test
  void pageOfLargeResponsesEndsEarly() {
    byte[] response = new byte[KeyScan.MAX_PAGE_BYTES / 100];
    List<Key> all = complete(250, new Payload("", response));
    List<KeyCatalog.Page> pages = pages(KeyCatalog.MAX_PAGE);
    assertThat(pages).hasSizeGreaterThan(1).allMatch(page -> page.entries().size() < 200);
    assertThat(keys(pages)).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void pageScansOnWhileNothingMatches() {
    complete(300, Payload.EMPTY);
    assertThat(keys(List.of(store.catalog().list("default/payments:order-299", "", 10))))
        .containsExactly(Key.of("payments", "order-299"));
  }

  @Test
  void cursorOfSomeoneElseIsRefused() {
    assertThatThrownBy(() -> store.catalog().list("", "default/payments:order-1", 10))
        .isInstanceOf(InvalidInput.class);
  }
}
