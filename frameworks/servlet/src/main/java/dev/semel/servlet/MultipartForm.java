package dev.semel.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a {@code multipart/form-data} body (RFC 7578). The container can't do it, because the
 * filter has read the body. The container's multipart configuration is not available here, so only
 * the request's limit and the ones below apply.
 */
final class MultipartForm {
  static final String TYPE = "multipart/form-data";

  /** The containers' usual limit: more parts mean an attack. */
  static final int MAX_PARTS = 1000;

  /** The limit for all headers of one part. */
  static final int MAX_HEADER_BYTES = 8 << 10;

  private static final Pattern BOUNDARY =
      Pattern.compile(
          ";\\s*boundary=(?:\"([^\"]{1,70})\"|([^\";\\s]{1,70}))", Pattern.CASE_INSENSITIVE);
  private static final Pattern HEADER =
      Pattern.compile("([A-Za-z0-9!#$%&'*+.^_`|~-]+):([^\\r\\n]*+)");
  private static final Pattern DISPOSITION =
      Pattern.compile("form-data\\s*(;.*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern PARAMETER =
      Pattern.compile("\\s*;\\s*([A-Za-z0-9*_-]+)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s;\"]+))");

  private final byte[] body;
  private final byte[] delimiter;
  private final ServletContext context;
  private final List<BodyPart> parts = new ArrayList<>();
  private int at;

  private MultipartForm(byte[] body, String boundary, ServletContext context) {
    this.body = body;
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    this.context = context;
  }

  /**
   * @throws ServletException when the body is malformed or has too many parts
   */
  static List<BodyPart> parse(byte[] body, String contentType, ServletContext context)
      throws ServletException {
    Matcher boundary = BOUNDARY.matcher(contentType);
    if (!boundary.find()) {
      throw new ServletException("the multipart body has no boundary of 1 to 70 characters");
    }
    String text = boundary.group(1) == null ? boundary.group(2) : boundary.group(1);
    return new MultipartForm(body, text, context).parts();
  }

  private List<BodyPart> parts() throws ServletException {
    // The first delimiter may be at the very beginning, without a line break before it.
    at = startsWith(0, 2) ? delimiter.length - 2 : skipTo(nextDelimiter(0));
    while (!ends()) {
      if (parts.size() == MAX_PARTS) {
        throw new ServletException(
            "the multipart body has more than %d parts".formatted(MAX_PARTS));
      }
      at = lineEnd(at) + 2;
      Map<String, List<String>> headers = headers();
      int end = nextDelimiter(at - 2); // an empty part ends with the line break of its headers
      add(headers, Arrays.copyOfRange(body, at, Math.max(at, end)));
      at = skipTo(end);
    }
    return Collections.unmodifiableList(parts);
  }

  private int skipTo(int delimiterAt) {
    return delimiterAt + delimiter.length;
  }

  /** Whether two dashes follow the delimiter: they end the body, and what follows is ignored. */
  private boolean ends() {
    return at + 1 < body.length && body[at] == '-' && body[at + 1] == '-';
  }

  private boolean startsWith(int place, int skipped) {
    int length = delimiter.length - skipped;
    if (place + length > body.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (body[place + i] != delimiter[skipped + i]) {
        return false;
      }
    }
    return closesLine(place + length);
  }

  /** Otherwise it is content that only starts like a delimiter. */
  private boolean closesLine(int place) {
    int i = place;
    if (i + 1 < body.length && body[i] == '-' && body[i + 1] == '-') {
      return true;
    }
    while (i < body.length && (body[i] == ' ' || body[i] == '\t')) {
      i++;
    }
    return i + 1 < body.length && body[i] == '\r' && body[i + 1] == '\n';
  }

  private int nextDelimiter(int from) throws ServletException {
    for (int i = from; i + delimiter.length <= body.length; i++) {
      if (body[i] == '\r' && startsWith(i, 0)) {
        return i;
      }
    }
    throw new ServletException("the multipart body ends before its last boundary");
  }

  private int lineEnd(int from) throws ServletException {
    for (int i = from; i + 1 < body.length && i - from <= MAX_HEADER_BYTES; i++) {
      if (body[i] == '\r' && body[i + 1] == '\n') {
        return i;
      }
    }
    throw new ServletException(
        "a line of the multipart body's headers does not end within %d bytes"
            .formatted(MAX_HEADER_BYTES));
  }

  private Map<String, List<String>> headers() throws ServletException {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int start = at;
    for (int end = lineEnd(at); end > at; end = lineEnd(at)) {
      if (end - start > MAX_HEADER_BYTES) {
        throw new ServletException(
            "the headers of a part have more than %d bytes".formatted(MAX_HEADER_BYTES));
      }
      // Browsers send names of fields and files without encoding.
      String line = new String(body, at, end - at, StandardCharsets.UTF_8);
      Matcher header = HEADER.matcher(line);
      if (!header.matches()) {
        throw new ServletException("a part of the multipart body has a header that is none");
      }
      headers.computeIfAbsent(header.group(1), n -> new ArrayList<>()).add(header.group(2).strip());
      at = end + 2;
    }
    at += 2;
    return headers;
  }

  private void add(Map<String, List<String>> headers, byte[] content) throws ServletException {
    List<String> disposition = headers.getOrDefault("Content-Disposition", List.of());
    if (disposition.size() != 1 || !DISPOSITION.matcher(disposition.get(0)).matches()) {
      throw new ServletException("a part of the multipart body is no form-data");
    }
    String name = parameter(disposition.get(0), "name");
    if (name == null) {
      throw new ServletException("a part of the multipart body has no name");
    }
    parts.add(
        new BodyPart(headers, name, parameter(disposition.get(0), "filename"), content, context));
  }

  private static @Nullable String parameter(String disposition, String wanted) {
    Matcher parameter = PARAMETER.matcher(disposition);
    parameter.region("form-data".length(), disposition.length());
    while (parameter.lookingAt()) {
      if (parameter.group(1).equalsIgnoreCase(wanted)) {
        String quoted = parameter.group(2);
        return quoted == null ? parameter.group(3) : quoted.replaceAll("\\\\([\"\\\\])", "$1");
      }
      parameter.region(parameter.end(), disposition.length());
    }
    return null;
  }
}
