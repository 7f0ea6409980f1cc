package dev.semel.http;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Fingerprinter;
import dev.semel.idempotency.Fingerprinters;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings that guard the requests of one route.
 *
 * @param methods the guarded methods; others pass through
 * @param fingerprintHeaders headers that must also be equal for two requests to be the same
 * @param body how bodies are compared
 * @param replayedHeaders headers of the answer that are kept and replayed; never cookies
 * @param maxRequestBytes a larger request with a key is refused, because its body must be read
 *     before it may run
 * @param policy lease, retention, waiting; its {@code maxResponseBytes} limits the kept answer
 */
public record HttpRules(
    Operation operation,
    Set<String> methods,
    KeySource keySource,
    KeyRule keyRule,
    List<String> fingerprintHeaders,
    Fingerprinter<byte[]> body,
    Set<String> replayedHeaders,
    KeptStatuses kept,
    HttpProfile profile,
    int maxRequestBytes,
    ExecutionPolicy policy) {
  public static final int DEFAULT_MAX_REQUEST_BYTES = 1 << 20;

  /** The headers that clients need to understand an answer. */
  public static final Set<String> DEFAULT_REPLAYED_HEADERS =
      Set.of(
          "Content-Type",
          "Content-Language",
          "Content-Encoding",
          "Content-Disposition",
          "Content-Location",
          "Location",
          "ETag",
          "Last-Modified",
          "Link",
          "Vary",
          "Cache-Control");

  /** Headers that belong to one client's session or to one connection. */
  private static final Set<String> NEVER_REPLAYED =
      Set.of(
          "set-cookie",
          "set-cookie2",
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length",
          "date");

  private static final Set<String> STREAMED =
      Set.of(
          "text/event-stream",
          "application/x-ndjson",
          "application/stream+json",
          "multipart/x-mixed-replace");

  public HttpRules {
    methods = Set.copyOf(methods);
    fingerprintHeaders = List.copyOf(fingerprintHeaders);
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : replayedHeaders) {
      if (NEVER_REPLAYED.contains(name.toLowerCase(Locale.ROOT))) {
        throw new InvalidInput(
            "the header %s can't be replayed: it belongs to one client or one connection"
                .formatted(name));
      }
      names.add(name);
    }
    replayedHeaders = Collections.unmodifiableSet(names);
    if (maxRequestBytes < 0) {
      throw new InvalidInput("maxRequestBytes can't be negative: " + maxRequestBytes);
    }
  }

  /**
   * Guards POST and PATCH by the standard header, which clients may leave out; everything else as
   * in the draft.
   */
  public static HttpRules of(String operation) {
    return new HttpRules(
        new Operation(operation),
        Set.of("POST", "PATCH"),
        KeySource.Header.STANDARD,
        KeyRule.OPTIONAL,
        List.of(),
        Fingerprinters.HASHED.raw(),
        DEFAULT_REPLAYED_HEADERS,
        KeptStatuses.DEFAULT,
        HttpProfile.IETF,
        DEFAULT_MAX_REQUEST_BYTES,
        ExecutionPolicy.defaults());
  }

  /**
   * Whether answers of this {@code Content-Type} are streams: they pass through as they arrive and
   * are never kept. An unknown length alone does not make an answer a stream.
   */
  public static boolean streamed(String contentType) {
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end);
    return STREAMED.contains(type.strip().toLowerCase(Locale.ROOT));
  }

  public HttpRules withMethods(Set<String> methods) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withKeySource(KeySource keySource) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withKeyRule(KeyRule keyRule) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withFingerprintHeaders(List<String> fingerprintHeaders) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withBody(Fingerprinter<byte[]> body) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withReplayedHeaders(Set<String> replayedHeaders) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withKept(KeptStatuses kept) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withProfile(HttpProfile profile) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withMaxRequestBytes(int maxRequestBytes) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }

  public HttpRules withPolicy(ExecutionPolicy policy) {
    return new HttpRules(
        operation,
        methods,
        keySource,
        keyRule,
        fingerprintHeaders,
        body,
        replayedHeaders,
        kept,
        profile,
        maxRequestBytes,
        policy);
  }
}
