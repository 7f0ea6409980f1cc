package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key strategy for JSON bodies that operators can set by name: {@code
 * content-hash(customer,amount)} or {@code hybrid(customer,amount)}.
 */
public record NamedStrategy(String name, List<String> fields) {
  private static final Pattern TEXT = Pattern.compile("(content-hash|hybrid)\\(([^()]+)\\)");

  public NamedStrategy {
    fields = List.copyOf(fields);
  }

  public static NamedStrategy parse(String text) {
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      throw new InvalidInput(
          "%s is not a strategy: write content-hash(field,…) or hybrid(field,…)"
              .formatted(PrintableText.quoted(text)));
    }
    List<String> fields = Arrays.stream(m.group(2).split(",", -1)).map(String::strip).toList();
    NamedStrategy named = new NamedStrategy(m.group(1), fields);
    KeyStrategy<byte[]> unused = named.strategy(); // refuses invalid fields
    return named;
  }

  public KeyStrategy<byte[]> strategy() {
    String[] paths = fields.toArray(new String[0]);
    return name.equals("hybrid") ? KeyStrategies.hybrid(paths) : KeyStrategies.contentHash(paths);
  }

  public String text() {
    return name + "(" + String.join(",", fields) + ")";
  }
}
