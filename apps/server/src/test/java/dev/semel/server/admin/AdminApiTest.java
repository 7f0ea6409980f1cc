package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.admin.document.internal.ExportTable;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Behaviour of the routes beyond that of the control center. */
class AdminApiTest {
  private static final String NOTHING = "there is nothing at this address";

  @Test
  void everyRouteIsDescribedAndEveryDescribedRouteExists() {
    try (Administered served = Administered.start()) {
      JsonObject paths =
          (JsonObject)
              Administered.json(served.get("/api/v1/openapi.json")).get("paths").orElseThrow();
      assertThat(paths.members().keySet())
          .contains("/api/v1/stats", "/api/v1/keys/{key}", "/api/v1/queues/{name}")
          .contains("/api/v1/outbox", "/api/v1/outbox/events", "/api/v1/inbox", "/api/v1/jobs")
          .contains("/api/v1/streams", "/api/v1/producers", "/api/v1/audit", "/api/v1/health")
          .contains("/api/v1/config", "/api/v1/cleanup", "/api/v1/events", "/api/v1/export")
          .contains("/healthz", "/readyz");
      paths
          .members()
          .forEach(
              (path, operations) -> {
                String address = path.replaceAll("\\{\\w+}", "default%2Fpay%3Ax");
                Set<String> methods = ((JsonObject) operations).members().keySet();
                for (String method : List.of("get", "put", "post", "delete")) {
                  if (path.equals("/api/v1/events") && method.equals("get")) {
                    continue; // endless answer
                  }
                  HttpResponse<String> response =
                      served.send(method.toUpperCase(Locale.ROOT), address, "");
                  assertThat(response.body()).as(path).doesNotContain(NOTHING);
                  assertThat(response.statusCode() == 405)
                      .as(method + " " + path)
                      .isEqualTo(!methods.contains(method));
                }
              });
      assertThat(served.get("/api/v1/nowhere").body()).contains(NOTHING);
    }
  }

  @Test
  void tenThousandKeysArePagedEachOnce() throws IOException {
    try (Administered served = Administered.start()) {
      served.run(
          "pay", IntStream.range(0, 10_000).mapToObj(Integer::toString).toArray(String[]::new));
      Set<String> seen = new HashSet<>();
      String cursor = "";
      do {
        HttpResponse<String> page = served.get("/api/v1/keys?limit=1000&cursor=" + cursor);
        assertThat(page.body().length()).isLessThan(1_000_000);
        JsonObject json = Administered.json(page);
        List<JsonValue> keys = ((JsonArray) json.get("keys").orElseThrow()).items();
        assertThat(keys).hasSizeLessThanOrEqualTo(1000);
        keys.forEach(
            each ->
                assertThat(seen.add(Json.write(((JsonObject) each).get("key").orElseThrow())))
                    .isTrue());
        cursor =
            json.get("next").orElseThrow() instanceof JsonString next
                ? java.net.URLEncoder.encode(next.text(), java.nio.charset.StandardCharsets.UTF_8)
                : "";
      } while (!cursor.isEmpty());
      assertThat(seen).hasSize(10_000);

      HttpResponse<String> lines = served.get("/api/v1/export?what=keys");
      assertThat(lines.body().lines())
          .hasSize(10_000)
          .allMatch(line -> line.startsWith("{\"key\""));
      assertThat(served.get("/api/v1/export?what=keys&format=csv").body().lines())
          .hasSize(10_001)
          .startsWith(ExportTable.KEYS.heading().strip());
    }
  }

  @Test
  void whatASpreadsheetWouldRunIsTextInCsv() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay", "=cmd|' /C calc'!A1", "say \"hi\"");
      assertThat(served.get("/api/v1/export?format=csv").body())
          .contains(",'=cmd|' /C calc'!A1,", "\"say \"\"hi\"\"\"");
    }
  }

  @Test
  void changeOfManyNeedsTheNumberThatItTouches() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay", "a", "b");
      String pay = "/api/v1/keys?prefix=default/pay:";
      HttpResponse<String> unsure = served.send("DELETE", pay, "");
      assertThat(unsure.statusCode()).isEqualTo(400);
      assertThat(unsure.body()).contains("dry_run=true");
      assertThat(served.send("DELETE", pay + "&dry_run=true", "").body())
          .isEqualTo("{\"dry_run\":true,\"count\":2}");
      assertThat(served.send("DELETE", pay + "&expect=3", "").statusCode()).isEqualTo(409);
      assertThat(served.store.catalog().usage().activeKeys()).isEqualTo(2);
      assertThat(served.send("DELETE", pay + "&expect=2", "").body()).isEqualTo("{\"deleted\":2}");
    }
  }

  @Test
  void whatIsMisspelledIsRefusedAndNotTakenForEverything() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay", "a");
      for (String path :
          List.of(
              "keys?prefx=a",
              "keys?limit=0",
              "keys?limit=1001",
              "keys?limit=many",
              "keys?state=gone",
              "keys/no-key",
              "advice?percent=much",
              "advice?percent=1e999999999",
              "export?what=all",
              "audit?after=nowhere")) {
        HttpResponse<String> refused = served.get("/api/v1/" + path);
        assertThat(refused.statusCode()).as(path + ": " + refused.body()).isEqualTo(400);
      }
      assertThat(served.send("DELETE", "/api/v1/keys?prefx=a&expect=1", "").statusCode())
          .isEqualTo(400);
      assertThat(served.send("POST", "/api/v1/cleanup", "{\"expect\":1e999999999}").statusCode())
          .isEqualTo(400);
      assertThat(
              served
                  .send("PUT", "/api/v1/queues/pay", "{\"settings\":{\"lease\":\"soon\"}}")
                  .body())
          .contains("lease can't be");
    }
  }

  @Test
  void whatTheTargetsLacksIsSaidWithTheFlagToGive() {
    try (Administered served = Administered.start()) {
      for (String path : List.of("outbox", "outbox/events", "inbox", "inbox/events?consumer=a")) {
        HttpResponse<String> missing = served.get("/api/v1/" + path);
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).contains("--database");
      }
      assertThat(served.get("/api/v1/jobs").body()).contains("--store");
    }
  }

  @Test
  void storeThatGoesAwayIsSaidAndTheServerStays() {
    Fickle store = new Fickle();
    try (Administered served = Administered.before(store)) {
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
      store.away.set(true);
      assertThat(served.get("/api/v1/keys").statusCode()).isEqualTo(503);
      assertThat(served.get("/api/v1/export").statusCode()).isEqualTo(503);
      assertThat(served.get("/api/v1/stats").headers().firstValue("Retry-After")).contains("1");
      assertThat(served.get("/readyz").statusCode()).isEqualTo(503);
      assertThat(served.get("/api/v1/health").body()).contains("\"status\":\"away\"");
      assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
      store.away.set(false);
      assertThat(served.get("/api/v1/keys").statusCode()).isEqualTo(200);
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void countsAreReadOnceForManyWhoAsk() {
    Fickle store = new Fickle();
    try (Administered served = Administered.before(store)) {
      long began = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        assertThat(served.get("/api/v1/stats").statusCode()).isEqualTo(200);
      }
      // Totals and trend are read together, and once more for every second that has passed.
      long passed = (System.nanoTime() - began) / 1_000_000_000;
      assertThat((long) store.reads.get()).isLessThanOrEqualTo(2 * (passed + 2));
    }
  }

  @Test
  void storeIsAskedOnceForManyWhoAskWhetherItIsThere() {
    Fickle store = new Fickle();
    try (Administered served = Administered.before(store)) {
      store.hold();
      List<CompletableFuture<Integer>> all = later(8, () -> served.get("/readyz"));
      await().during(Duration.ofMillis(300)).until(() -> store.held.get() == 1);
      store.goOn();
      assertThat(all).allSatisfy(each -> assertThat(each.join()).isEqualTo(200));
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void moreExportsThanItTakesAreRefused() {
    Fickle store = new Fickle();
    try (Administered served = Administered.before(store)) {
      store.hold();
      List<CompletableFuture<Integer>> all =
          later(LineExport.MAX_EXPORTS, () -> served.get("/api/v1/export"));
      await().until(() -> store.held.get() == LineExport.MAX_EXPORTS);
      HttpResponse<String> refused = served.get("/api/v1/export");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      store.goOn();
      assertThat(all).allSatisfy(each -> assertThat(each.join()).isEqualTo(200));
      assertThat(served.get("/api/v1/export").statusCode()).isEqualTo(200);
    }
  }

  private static List<CompletableFuture<Integer>> later(
      int count, Supplier<HttpResponse<String>> call) {
    Executor threads = task -> Thread.ofVirtual().start(task);
    return Stream.generate(
            () -> CompletableFuture.supplyAsync(() -> call.get().statusCode(), threads))
        .limit(count)
        .toList();
  }

  /** A store in memory that can be away, or delay its callers. */
  private static final class Fickle implements Store {
    private final MemoryStore store = new MemoryStore(InstantSource.system());
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private volatile CountDownLatch latch = new CountDownLatch(0);

    void hold() {
      latch = new CountDownLatch(1);
    }

    void goOn() {
      latch.countDown();
    }

    private Store asked() {
      CountDownLatch waiting = latch;
      if (waiting.getCount() > 0) {
        held.incrementAndGet();
        try {
          waiting.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      if (away.get()) {
        throw new StoreException("no route to the secret host");
      }
      return store;
    }

    @Override
    public String describe() {
      return "fickle";
    }

    @Override
    public IdempotencyStore idempotency() {
      return asked().idempotency();
    }

    @Override
    public KeyCatalog catalog() {
      KeyCatalog catalog = store.catalog();
      return new KeyCatalog() {
        @Override
        public Page list(String prefix, String cursor, int limit) {
          return asked().catalog().list(prefix, cursor, limit);
        }

        @Override
        public boolean forceRelease(Key key) {
          return catalog.forceRelease(key);
        }

        @Override
        public boolean delete(Key key) {
          return catalog.delete(key);
        }

        @Override
        public RecordImport adopt(KeyEntry entry) {
          return catalog.adopt(entry);
        }

        @Override
        public int purge(int limit) {
          return catalog.purge(limit);
        }

        @Override
        public Usage usage() {
          return asked().catalog().usage();
        }
      };
    }

    @Override
    public StatisticsStore statistics() {
      reads.incrementAndGet();
      return asked().statistics();
    }

    @Override
    public SettingsStore settings() {
      return asked().settings();
    }

    @Override
    public EventStore events() {
      return store.events();
    }

    @Override
    public Instant now() {
      return asked().now();
    }

    @Override
    public void close() {}
  }
}
