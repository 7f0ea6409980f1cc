package dev.semel.servlet;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request with a form in its body: the query's, then the form's. */
final class FormFields {
  static final Charset DEFAULT = StandardCharsets.UTF_8;

  /** The containers' usual limit: more fields mean an attack. */
  static final int MAX_FIELDS = 1000;

  private FormFields() {}

  /**
   * @throws IllegalStateException when the body is not a valid form, as in containers
   */
  static Map<String, String[]> of(Map<String, String[]> query, byte[] body, Charset charset) {
    Map<String, List<String>> fields = start(query);
    int count = 0;
    // Names and values are percent-encoded; raw non-ASCII text must survive the decoding.
    for (String pair : new String(body, charset).split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      if (++count > MAX_FIELDS) {
        throw new IllegalStateException("the form has more than %d fields".formatted(MAX_FIELDS));
      }
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      fields
          .computeIfAbsent(decode(name, charset), n -> new ArrayList<>())
          .add(decode(value, charset));
    }
    return end(fields);
  }

  /** The parameters of a multipart form; files are not parameters. */
  static Map<String, String[]> of(@Nullable String query, List<BodyPart> parts, Charset charset) {
    byte[] asked = query == null ? new byte[0] : query.getBytes(DEFAULT);
    Map<String, List<String>> fields = start(of(Map.of(), asked, DEFAULT));
    for (BodyPart part : parts) {
      if (part.getSubmittedFileName() == null) {
        fields.computeIfAbsent(part.getName(), n -> new ArrayList<>()).add(part.text(charset));
      }
    }
    return end(fields);
  }

  private static Map<String, List<String>> start(Map<String, String[]> query) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    query.forEach((name, values) -> fields.put(name, new ArrayList<>(List.of(values))));
    return fields;
  }

  private static Map<String, String[]> end(Map<String, List<String>> fields) {
    Map<String, String[]> parameters = new LinkedHashMap<>();
    fields.forEach((name, values) -> parameters.put(name, values.toArray(String[]::new)));
    return Collections.unmodifiableMap(parameters);
  }

  private static String decode(String text, Charset charset) {
    try {
      return URLDecoder.decode(text, charset);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("the form is not encoded as it should be", e);
    }
  }
}
