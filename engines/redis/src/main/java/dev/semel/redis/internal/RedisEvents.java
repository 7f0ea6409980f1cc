package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The event log as a Redis stream, whose ids are both the order and the time of appending on
 * Redis's clock; {@link EventScript} describes the other keys.
 */
public final class RedisEvents implements EventStore {
  /** All keys share one slot, because every step is one script. */
  static final byte[][] KEYS = {
    RedisLink.ascii("semel:{semel}:events"),
    RedisLink.ascii("semel:{semel}:events:personal"),
    RedisLink.ascii("semel:{semel}:events:about"),
    RedisLink.ascii("semel:{semel}:events:chains")
  };

  /** The most lines that one script erases or trims: a longer one would delay claims. */
  private static final int STEP = 500;

  private static final int KEY_HASH_DIGITS = 32;
  private static final Pattern ID = Pattern.compile("\\d{1,20}-\\d{1,20}");
  private static final Pattern CHAIN = Pattern.compile("(\\d+) (\\S+) (\\d+) (\\S+)");
  private static final Pattern PERSONAL =
      Pattern.compile("[0-9a-f]* ([0-9a-f]+) (\\d{1,9}) (.*)", Pattern.DOTALL);
  private static final String NOTHING_YET = "0-0";

  private final RedisLink link;

  public RedisEvents(RedisLink link) {
    this.link = link;
  }

  @Override
  public void append(List<EventLine> lines) {
    if (lines.isEmpty()) {
      return;
    }
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(utf8(lines.get(0).writer()));
    for (EventLine line : lines) {
      for (String part :
          List.of(
              Long.toString(line.number()),
              Long.toString(line.atMillis()),
              line.kind(),
              line.tenant(),
              line.operation(),
              line.details(),
              line.commitment(),
              line.previous(),
              line.hash(),
              personal(line.personal()),
              line.personal().id().isEmpty()
                  ? ""
                  : about(line.tenant(), line.operation(), line.personal().id()))) {
        arguments.add(utf8(part));
      }
    }
    run(EventScript.APPEND, arguments.toArray(byte[][]::new));
  }

  private static String personal(EventLine.Personal personal) {
    return personal.erased()
        ? ""
        : personal.salt() + " " + personal.id().length() + " " + personal.id() + personal.more();
  }

  private static String about(String tenant, String operation, String id) {
    return Ids.sha256Hex(utf8(tenant + "/" + operation + ":" + id)).substring(0, KEY_HASH_DIGITS);
  }

  private static String about(Key key) {
    return about(key.tenant().name(), key.operation().name(), key.id());
  }

  private long run(EventScript script, byte[]... arguments) {
    Long answer = link.number(script, KEYS, arguments);
    return answer == null ? 0 : answer;
  }

  private List<List<?>> find(EventScript script, byte[]... arguments) {
    List<List<?>> found = new ArrayList<>();
    link.list(script, KEYS, arguments).forEach(line -> found.add((List<?>) line));
    return found;
  }

  @Override
  public Page read(String cursor, int limit) {
    if (!cursor.isEmpty() && !ID.matcher(cursor).matches()) {
      throw new InvalidInput(
          "%s is no cursor of this log: begin without one".formatted(PrintableText.quoted(cursor)));
    }
    List<List<?>> found =
        find(
            EventScript.READ,
            utf8(cursor.isEmpty() ? "-" : "(" + cursor),
            RedisLink.ascii(Math.clamp(limit, 1, MAX_PAGE)));
    String last = cursor.isEmpty() ? NOTHING_YET : cursor;
    return new Page(lines(found), found.isEmpty() ? last : text(found.getLast().get(0)));
  }

  @Override
  public String end() {
    return text(link.list(EventScript.END, KEYS).get(0));
  }

  @Override
  public List<EventLine> latest(int limit) {
    List<List<?>> found = find(EventScript.LATEST, RedisLink.ascii(Math.clamp(limit, 1, MAX_PAGE)));
    return lines(found).reversed();
  }

  @Override
  public List<EventLine> about(Key key, int limit) {
    List<List<?>> found =
        find(EventScript.ABOUT, utf8(about(key)), RedisLink.ascii(Math.clamp(limit, 1, MAX_PAGE)));
    return lines(found).reversed();
  }

  private static List<EventLine> lines(List<List<?>> found) {
    return found.stream().map(RedisEvents::line).toList();
  }

  private static EventLine line(List<?> found) {
    List<?> parts = (List<?>) found.get(1);
    Map<String, String> fields = new HashMap<>();
    for (int i = 0; i + 1 < parts.size(); i += 2) {
      fields.put(text(parts.get(i)), text(parts.get(i + 1)));
    }
    return new EventLine(
        field(fields, "writer"),
        Long.parseLong(field(fields, "number")),
        Long.parseLong(field(fields, "at")),
        field(fields, "kind"),
        field(fields, "tenant"),
        field(fields, "operation"),
        field(fields, "details"),
        personal(text(found.get(2))),
        field(fields, "commitment"),
        field(fields, "previous"),
        field(fields, "hash"));
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new StoreException(
          "an event in Redis has no %s: something else writes to %s"
              .formatted(name, text(KEYS[0])));
    }
    return value;
  }

  private static EventLine.Personal personal(String text) {
    Matcher m = PERSONAL.matcher(text);
    if (!m.matches()) {
      return EventLine.Personal.ERASED;
    }
    int length = Math.min(Integer.parseInt(m.group(2)), m.group(3).length());
    return new EventLine.Personal(
        m.group(3).substring(0, length), m.group(3).substring(length), m.group(1));
  }

  @Override
  public Map<String, Chain> chains() {
    Map<String, Chain> chains = new HashMap<>();
    link.get(c -> c.hgetall(KEYS[3]))
        .forEach(
            (writer, chain) -> {
              Matcher m = CHAIN.matcher(text(chain));
              if (m.matches()) {
                chains.put(
                    text(writer),
                    new Chain(
                        Long.parseLong(m.group(1)),
                        m.group(2),
                        Long.parseLong(m.group(3)),
                        m.group(4)));
              }
            });
    return Map.copyOf(chains);
  }

  @Override
  public int erase(Key key) {
    int erased = 0;
    long step;
    do {
      step = run(EventScript.ERASE, utf8(about(key)), RedisLink.ascii(STEP));
      erased += (int) step;
    } while (step == STEP);
    return erased;
  }

  @Override
  public int trim(Duration age, long keep, int limit) {
    int trimmed = 0;
    while (trimmed < limit) {
      int most = Math.min(STEP, limit - trimmed);
      long step =
          run(
              EventScript.TRIM,
              RedisLink.ascii(age.toMillis()),
              RedisLink.ascii(keep),
              RedisLink.ascii(most));
      trimmed += (int) step;
      if (step < most) {
        break;
      }
    }
    return trimmed;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }
}
