package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Headers or parameters that have a new value in each request. Safe for many threads. */
final class DynamicValues {
  /** Limit of names. */
  static final int MAX_NAMES = 100;

  private final Map<String, Supplier<String>> values = new LinkedHashMap<>();

  /**
   * @param kind {@code counter} counts requests from 1, {@code timestamp} is the time in
   *     milliseconds, {@code token} is a text that stays until it is set again
   */
  synchronized void set(String name, String kind, String token) {
    if (values.size() >= MAX_NAMES && !values.containsKey(name)) {
      throw new InvalidInput(
          "there are %d dynamic names, the limit: send clear-dynamic first".formatted(MAX_NAMES));
    }
    values.put(name, value(kind, token));
  }

  private static Supplier<String> value(String kind, String token) {
    AtomicLong counter = new AtomicLong();
    return switch (kind) {
      case "counter" -> () -> Long.toString(counter.incrementAndGet());
      case "timestamp" -> () -> Long.toString(System.currentTimeMillis());
      case "token" -> () -> token;
      default ->
          throw new InvalidInput(
              "the valueType %s is not known: use counter, timestamp or token"
                  .formatted(PrintableText.quoted(kind)));
    };
  }

  synchronized void clear() {
    values.clear();
  }

  /** The values for one request. */
  synchronized Map<String, String> next() {
    Map<String, String> next = new LinkedHashMap<>();
    values.forEach((name, value) -> next.put(name, value.get()));
    return next;
  }
}
