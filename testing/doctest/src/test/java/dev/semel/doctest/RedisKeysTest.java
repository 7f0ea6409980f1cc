package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.JobQueue;
import dev.semel.redis.RedisJobs;
import dev.semel.redis.RedisStore;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.testservices.RedisService;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Subscription;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Semel leaves in a real Redis is on the page, and is of the type that the page says. */
@Tag("service")
class RedisKeysTest {
  private static final Pattern ROW = Pattern.compile("\\| (`[^|]+) \\| ([a-z ]+?)(?:e?s)? \\|.*");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** A row's names as patterns, and their type as Redis calls it. */
  private record Named(String name, Pattern pattern, String type) {}

  private static List<Named> named() {
    List<Named> named = new ArrayList<>();
    for (String line : Book.page("docs/reference/redis-keys.md").prose()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String type = row.group(2).equals("sorted set") ? "zset" : row.group(2);
        String first = "";
        for (Matcher each = NAME.matcher(row.group(1)); each.find(); ) {
          // Behind the first stand only the endings of others.
          String name =
              first.isEmpty()
                  ? each.group(1)
                  : first.substring(0, first.lastIndexOf('}') + 1) + each.group(1);
          first = first.isEmpty() ? name : first;
          named.add(new Named(name, pattern(name), type));
        }
      }
    }
    return named;
  }

  private static Pattern pattern(String name) {
    String regex =
        name.replace("{semel}", "<semel>")
            .replaceAll("\\{[^}]*\\}", "\\\\{[^}]*\\\\}")
            .replaceAll("MINUTE|WRITER|CONSUMER|tenant/id$", "[^:]+")
            .replace("<semel>", "\\{semel\\}");
    return Pattern.compile(regex);
  }

  @Test
  void everyKeyIsOnThePageWithItsType() throws Exception {
    try (RedisService redis = RedisService.start("--appendonly", "no");
        RedisClient client = RedisClient.create(redis.url());
        RedisStreamsTransport transport =
            RedisStreamsTransport.connect(RedisStreamsSettings.of(redis.url()))) {
      try (RedisStore store = RedisStore.open(redis.url());
          JobQueue queue = RedisJobs.on(store)) {
        execute(store);
        EnqueueResult unused = queue.enqueue(Job.of(Key.of("exports", "1"), "{}"));
      }
      transport.publish(Message.of("orders", "{}").withIdOf("order-1").withOrderingKey("1"));
      try (Subscription reader =
          transport.subscribe("orders", "billing", SubscribeSettings.defaults())) {
        assertThat(reader.receive(1, Duration.ofSeconds(30))).hasSize(1);
        Set<String> met = new TreeSet<>();
        var commands = client.connect().sync();
        for (String key : commands.keys("*")) {
          String type = commands.type(key);
          List<Named> rows =
              named().stream().filter(row -> row.pattern().matcher(key).matches()).toList();
          assertThat(rows).as("%s, a %s", key, type).hasSize(1);
          assertThat(type).as(key).isEqualTo(rows.get(0).type());
          met.add(rows.get(0).name());
        }
        assertThat(met).hasSizeGreaterThanOrEqualTo(13);
      }
    }
  }

  private static void execute(RedisStore store) {
    assertThat(store.settings().write(new Operation("payment"), 0, "{}")).isTrue();
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      Outcome<String> unused =
          idempotency.execute(
              Key.of("payment", "order-1"), Fingerprint.of("10"), Codec.utf8(), e -> "done");
    }
  }
}
