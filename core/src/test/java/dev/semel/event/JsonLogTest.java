package dev.semel.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Isolated("the locale")
class JsonLogTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2024-01-15T10:30:00.000789Z"));
  private static final Key KEY = Key.of("acme", "payments", "payment_hash_abc123");
  private static final FirstExecution ORIGINAL =
      new FirstExecution("job_123", 2, Duration.ofSeconds(2725), Duration.parse("PT23H14M35S"));
  private static final String HEAD =
      "\"idempotency_key\":\"acme/payments:payment_hash_abc123\",\"job_id\":\"job_456\","
          + "\"queue\":\"payments\",\"tenant\":\"acme\"";
  private static final String MET =
      "\"original_job_id\":\"job_123\",\"attempt\":2,\"age\":\"45m25s\",\"ttl_remaining\":\"23h14m\"";

  record Expected(Event event, String level, String message, String rest) {}

  static List<Expected> everyEvent() {
    String id = "job_456";
    String failure = "java.io.IOException";
    return List.of(
        new Expected(new Event.Claimed(KEY, id, 1), "info", "job claimed", "\"attempt\":1"),
        new Expected(new Event.TakenOver(KEY, id, 3), "warn", "job taken over", "\"attempt\":3"),
        new Expected(
            new Event.Completed(KEY, id, 1, Duration.ofMillis(1560), 17),
            "info",
            "job completed",
            "\"attempt\":1,\"took\":\"1.5s\",\"response_bytes\":17"),
        new Expected(
            new Event.FailureStored(KEY, id, 1, failure),
            "info",
            "job failed for good",
            "\"attempt\":1,\"failure\":\"java.io.IOException\""),
        new Expected(
            new Event.Released(KEY, id, 1, failure, "declined"),
            "info",
            "job failed, may be retried",
            "\"attempt\":1,\"failure\":\"java.io.IOException\",\"error\":\"declined\""),
        new Expected(
            new Event.Replayed(KEY, id, ORIGINAL),
            "info",
            "duplicate job blocked",
            MET + ",\"reason\":\"already done\""),
        new Expected(
            new Event.InFlight(KEY, id, ORIGINAL, Duration.ofSeconds(12)),
            "info",
            "duplicate job blocked",
            MET + ",\"reason\":\"in flight\",\"lease_remaining\":\"12s\""),
        new Expected(
            new Event.Mismatched(KEY, id, ORIGINAL), "warn", "key used by another request", MET),
        new Expected(new Event.InDoubt(KEY, id, ORIGINAL), "warn", "job in doubt", MET),
        new Expected(
            new Event.Fenced(KEY, id, 1, "complete"),
            "warn",
            "job fenced",
            "\"attempt\":1,\"step\":\"complete\""),
        new Expected(
            new Event.Unrecorded(KEY, id, 1), "warn", "job done but not recorded", "\"attempt\":1"),
        new Expected(
            new Event.Collided(KEY, id, Key.of("acme", "payments", "h#full")),
            "warn",
            "key collision",
            "\"moved_to\":\"acme/payments:h#full\""),
        new Expected(
            new Event.StoreFailed(KEY, id, "claim", "no route to \"db\"\nretry"),
            "warn",
            "store failed",
            "\"step\":\"claim\",\"error\":\"no route to \\\"db\\\"\\nretry\""),
        new Expected(
            new Event.Outlived(KEY, id, 1), "warn", "job outlived its record", "\"attempt\":1"),
        new Expected(
            new Event.Unguarded(KEY, id, Event.Unguarded.Reason.STORE_AWAY),
            "warn",
            "job ran unguarded",
            "\"reason\":\"store-away\""),
        new Expected(
            new Event.Reconciled(KEY, id, Event.Reconciled.Verdict.RAN_TWICE),
            "warn",
            "job reconciled",
            "\"verdict\":\"ran-twice\""),
        new Expected(
            new Event.StrategiesDiffer(
                KEY, id, "hash_1", Event.StrategiesDiffer.Difference.ONLY_SHADOW_SEES_A_DUPLICATE),
            "info",
            "key strategies differ",
            "\"difference\":\"only-shadow-sees-a-duplicate\",\"shadow_id\":\"hash_1\""),
        new Expected(
            new Event.JobRetried(KEY, id, 2, Duration.ofSeconds(3), "no"),
            "warn",
            "job failed, will be retried",
            "\"attempt\":2,\"pause\":\"3s\",\"error\":\"no\""),
        new Expected(
            new Event.JobBuried(KEY, id, 10, Event.JobBuried.Grave.GAVE_UP, "no"),
            "warn",
            "job is a dead letter",
            "\"attempt\":10,\"why\":\"gave-up\",\"error\":\"no\""));
  }

  private static final Event.Mention SENT =
      new Event.Mention("m1", "orders", "", "acme/payments:payment_hash_abc123");
  private static final Event.Mention HEARD = new Event.Mention("m1", "orders", "ledger", "");

  /** Those about a message, with what comes after the time. */
  static Map<Event, String> everyMessageEvent() {
    String sent =
        "\"idempotency_key\":\"acme/payments:payment_hash_abc123\","
            + "\"message_id\":\"m1\",\"destination\":\"orders\"";
    String heard = "\"message_id\":\"m1\",\"destination\":\"orders\",\"consumer\":\"ledger\"";
    return Map.of(
        new Event.Published(SENT, true),
        "\"msg\":\"message published\"," + sent + ",\"duplicate\":true",
        new Event.Rebuilt(SENT),
        "\"msg\":\"message was missing in the outbox\"," + sent,
        new Event.PublishRefused(SENT, 2, "full"),
        "\"msg\":\"message refused\"," + sent + ",\"attempt\":2,\"error\":\"full\"",
        new Event.Consumed(HEARD),
        "\"msg\":\"message consumed\"," + heard,
        new Event.Redelivered(HEARD),
        "\"msg\":\"duplicate message dropped\"," + heard,
        new Event.HandlerFailed(HEARD, "no"),
        "\"msg\":\"message handler failed\"," + heard + ",\"error\":\"no\"",
        new Event.DeadLettered(HEARD, "no"),
        "\"msg\":\"message is a dead letter\"," + heard + ",\"error\":\"no\"");
  }

  @Test
  void jobThatLostItsWorkerIsALineToo() {
    assertThat(logged(new Event.JobLost(KEY, "")))
        .contains("\"msg\":\"job lost its worker\"", KEY.text());
  }

  @Test
  void eventsAboutMessagesAreLinesToo() {
    everyMessageEvent()
        .forEach((event, line) -> assertThat(logged(event)).endsWith("Z\"," + line + "}\n"));
  }

  @Test
  void whatIsNoKeyInAStrangersHeaderIsLeftOut() {
    Event.Mention odd = new Event.Mention("m1", "orders", "", "no key");
    assertThat(logged(new Event.Published(odd, false))).doesNotContain("no key");
  }

  /** Those that are not about a key, with what their lines hold. */
  static Map<Event, String> otherEvents() {
    return Map.of(
        new Event.LoopFailed("semel-relay", 3, "java.io.IOException: broken"),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"background loop failed\","
            + "\"loop\":\"semel-relay\",\"count\":3,\"error\":\"java.io.IOException: broken\"",
        new Event.CallersCut(3, 90, 100),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"slow callers cut\","
            + "\"callers\":3,\"held_bytes\":90,\"limit_bytes\":100",
        new Event.ClockSkewed(Duration.ofSeconds(-90)),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"clock skew\",\"ahead\":\"-1m30s\"",
        new Event.Changed("ann", "queues set", "payments"),
        "\"level\":\"info\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"changed by an operator\","
            + "\"actor\":\"ann\",\"action\":\"queues set\",\"target\":\"payments\"",
        new Event.CircuitChanged(new Operation("exports"), true, "no route"),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"queue rests\","
            + "\"queue\":\"exports\",\"error\":\"no route\"",
        new Event.DuplicateStorm(new Operation("webhooks"), 45.21, 20, "review it", false),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\","
            + "\"msg\":\"high duplicate rate detected\",\"queue\":\"webhooks\","
            + "\"hit_rate\":45.2,\"threshold\":20,\"suggestion\":\"review it\"",
        new Event.Skipped(7, 3),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"events left out\",\"count\":7,\"notable\":3",
        new Event.AlertChanged(
            "outbox-lag", "orders", "critical", true, 400.12345, 300, "it waits", "start a relay"),
        "\"level\":\"warn\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"alert firing\","
            + "\"alert\":\"outbox-lag\",\"subject\":\"orders\",\"severity\":\"critical\","
            + "\"seen\":400.123,\"threshold\":300,\"text\":\"it waits\","
            + "\"suggestion\":\"start a relay\"",
        new Event.AlertChanged("memory", "", "critical", false, 70, 80, "70 % is taken", ""),
        "\"level\":\"info\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"alert resolved\","
            + "\"alert\":\"memory\",\"severity\":\"critical\",\"seen\":70,\"threshold\":80,"
            + "\"text\":\"70 % is taken\"");
  }

  @Test
  void eventsThatAreNotAboutAKeyAreLinesToo() {
    otherEvents().forEach((event, line) -> assertThat(logged(event)).isEqualTo("{" + line + "}\n"));
  }

  private static String logged(Event... events) {
    StringBuilder out = new StringBuilder();
    JsonLog log = new JsonLog(out, CLOCK);
    Arrays.stream(events).forEach(log::on);
    assertThat(log.lost()).isZero();
    return out.toString();
  }

  @ParameterizedTest
  @MethodSource("everyEvent")
  void eachEventIsOneLineInTheShapeThatLogReadersKnow(Expected expected) {
    assertThat(logged(expected.event()))
        .isEqualTo(
            "{\"level\":\"%s\",\"ts\":\"2024-01-15T10:30:00Z\",\"msg\":\"%s\",%s,%s}\n"
                .formatted(expected.level(), expected.message(), HEAD, expected.rest()));
  }

  @Test
  void noKindOfEventIsForgottenHere() {
    Set<Class<?>> seen = new HashSet<>();
    everyEvent().forEach(expected -> seen.add(expected.event().getClass()));
    everyMessageEvent().keySet().forEach(event -> seen.add(event.getClass()));
    otherEvents().keySet().forEach(event -> seen.add(event.getClass()));
    Set<Class<?>> all = new HashSet<>(Set.of(Event.class.getPermittedSubclasses()));
    all.addAll(Set.of(Event.Keyed.class.getPermittedSubclasses()));
    all.addAll(Set.of(Event.Messaged.class.getPermittedSubclasses()));
    all.addAll(Set.of(Event.OfOperation.class.getPermittedSubclasses()));
    all.removeAll(Set.of(Event.Keyed.class, Event.Messaged.class, Event.OfOperation.class));
    seen.add(Event.JobLost.class); // has a separate test
    assertThat(seen).isEqualTo(all);
  }

  @Test
  void idsThatNobodyGaveAreLeftOut() {
    String line =
        logged(
            new Event.Replayed(
                KEY, "", new FirstExecution("", 1, Duration.ZERO, Duration.ofDays(7))));
    assertThat(line)
        .doesNotContain("job_id")
        .contains("\"age\":\"0s\"", "\"ttl_remaining\":\"7d\"");
  }

  @Test
  void hostileTextStaysOneReadableLine() {
    String nasty = "\u001b[2J\r\n{\"level\":\"error\"}\ud800\u202e" + "x".repeat(100_000);
    String line =
        logged(
            new Event.StoreFailed(KEY, "id\n2", nasty, nasty),
            new Event.Released(KEY, "", 1, nasty, nasty));
    assertThat(line.lines()).hasSize(2);
    assertThat(line).hasSizeLessThan(5_000).doesNotContain("\u001b", "\r", "\u202e");
    assertThat(line.lines().map(Json::parse)).hasOnlyElementsOfType(JsonObject.class);
  }

  @Test
  void linesFromManyThreadsStayWhole() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    // Character by character, so that lines would mix if nothing kept them together.
    Appendable slow =
        new Appendable() {
          @Override
          public Appendable append(CharSequence text) {
            text.chars().forEach(c -> append((char) c));
            return this;
          }

          @Override
          public Appendable append(CharSequence text, int start, int end) {
            return append(text.subSequence(start, end));
          }

          @Override
          public Appendable append(char c) {
            out.append(c);
            return this;
          }
        };
    JsonLog log = new JsonLog(slow, CLOCK);
    int threads = 8;
    int each = 50;
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String id = "thread-" + t;
        done.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 1; i <= each; i++) {
                    log.on(new Event.Claimed(KEY, id, i));
                  }
                  return id;
                }));
      }
      start.countDown();
      for (Future<?> thread : done) {
        thread.get();
      }
    }
    List<JsonValue> lines =
        bytes.toString(StandardCharsets.UTF_8).lines().map(Json::parse).toList();
    assertThat(lines).hasSize(threads * each).doesNotHaveDuplicates();
    assertThat(log.lost()).isZero();
  }

  @Test
  void anOutputThatFailsDisturbsNobodyAndLaterLinesAreWhole() {
    StringBuilder disk = new StringBuilder();
    List<Exception> faults =
        new ArrayList<>(List.of(new IOException("disk full"), new IllegalStateException()));
    Appendable failing =
        new Appendable() {
          @Override
          public Appendable append(CharSequence text) throws IOException {
            if (faults.isEmpty()) {
              disk.append(text);
              return this;
            }
            disk.append(text, 0, 20);
            switch (faults.remove(0)) {
              case IOException e -> throw e;
              case RuntimeException e -> throw e;
              case Exception e -> throw new AssertionError(e);
            }
          }

          @Override
          public Appendable append(CharSequence text, int start, int end) throws IOException {
            return append(text.subSequence(start, end));
          }

          @Override
          public Appendable append(char c) throws IOException {
            return append(String.valueOf(c));
          }
        };
    JsonLog log = new JsonLog(failing, CLOCK);
    for (int attempt = 1; attempt <= 4; attempt++) {
      Event event = new Event.Claimed(KEY, "", attempt);
      assertThatCode(() -> log.on(event)).doesNotThrowAnyException();
    }
    assertThat(log.lost()).isEqualTo(2);
    List<String> lines = disk.toString().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.subList(2, 4)).allSatisfy(line -> assertThat(Json.parse(line)).isNotNull());
    assertThat(disk.toString()).endsWith("\n").doesNotContain("\n\n");
  }

  @Test
  void theMachinesLanguageDoesNotCount() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(logged(new Event.Replayed(KEY, "j", ORIGINAL)))
          .contains("\"attempt\":2", "\"23h14m\"");
    } finally {
      Locale.setDefault(before);
    }
  }
}
