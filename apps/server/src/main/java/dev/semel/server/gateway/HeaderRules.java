package dev.semel.server.gateway;

import dev.semel.InvalidInput;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.RequestAuthority;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides which headers pass between caller and upstream. */
final class HeaderRules {
  /** The effect key, the same for every attempt, for systems that deduplicate. */
  static final String EFFECT_KEY = "Semel-Effect-Key";

  /** 1 for the first attempt; more after an attempt that was released. */
  static final String ATTEMPT = "Semel-Attempt";

  private static final String COOKIE = "Cookie";
  private static final String VIA = "Via";
  private static final String FORWARDED = "Forwarded";
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String FORWARDED_HOST = "X-Forwarded-Host";
  private static final String FORWARDED_PROTO = "X-Forwarded-Proto";
  private static final String VIA_HTTP1 = "1.1 semel";
  private static final String VIA_HTTP2 = "2.0 semel";

  /** Headers that belong to one connection. */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authentication-info",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  /** Headers that only the gateway sets, unless it trusts the caller's values. */
  private static final Set<String> REPLACED =
      Set.of(
          "host",
          "expect",
          "via",
          "forwarded",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-proto",
          "x-forwarded-port",
          "x-real-ip",
          "semel-effect-key",
          "semel-attempt");

  /** Headers that a caller must not name in Connection, because others decide by them. */
  private static final Set<String> NEVER_OPTIONS =
      Set.of("content-length", "content-type", "authorization", "cookie");

  private final GatewaySettings settings;
  private final Set<String> neverOptions;

  /** CGI names of the headers that the gateway sets, removes or decides by. */
  private final Set<String> ambiguous;

  HeaderRules(GatewaySettings settings) {
    this.settings = settings;
    this.neverOptions =
        Stream.of(
                NEVER_OPTIONS.stream(),
                REPLACED.stream(),
                settings.tenantHeader().stream(),
                settings.rules().fingerprintHeaders().stream(),
                settings.rules().keySource() instanceof KeySource.Header h
                    ? Stream.of(h.name())
                    : Stream.<String>empty())
            .flatMap(names -> names)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    this.ambiguous =
        Stream.concat(neverOptions.stream(), HOP_BY_HOP.stream())
            .map(HeaderRules::variable)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The variable by which CGI, and WSGI after it, know a header: hyphens become underscores. */
  private static String variable(String name) {
    return name.replace('-', '_');
  }

  /**
   * Whether a header could be taken for another one. CGI reads {@code X_Forwarded_For} as {@code
   * X-Forwarded-For}, so that a caller could forge what only the gateway may say.
   *
   * @param name in lower case
   */
  private boolean misleads(String name) {
    if (neverOptions.contains(name) || HOP_BY_HOP.contains(name)) {
      return false; // the exact name
    }
    return ambiguous.contains(variable(name))
        || (name.indexOf('_') >= 0 && !settings.forwarding().underscores());
  }

  /**
   * Throws if the Connection header would remove what others decide by.
   *
   * @return whether the caller wants the connection to end with this answer
   */
  boolean check(MultiMap received) {
    Set<String> options = options(received);
    for (String option : options) {
      if (neverOptions.contains(option)) {
        throw new InvalidInput(
            "the Connection header names %s, which is not for this connection alone"
                .formatted(option));
      }
    }
    return options.contains("close");
  }

  /**
   * Refuses line breaks. HTTP/2 marks a header's end by its length, so that its text could begin
   * another header, or another request, in the lines of HTTP/1.1.
   */
  static void checkText(MultiMap received) {
    for (Map.Entry<String, String> header : received) {
      if (!isToken(header.getKey()) || !isText(header.getValue())) {
        throw new InvalidInput("a header holds characters that no header can: leave them out");
      }
    }
  }

  private static boolean isToken(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c > '~' || "\"(),/:;<=>?@[\\]{}".indexOf(c) >= 0) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static boolean isText(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 127) {
        return false;
      }
    }
    return true;
  }

  /** The request's headers for the upstream, without its length. */
  MultiMap forUpstream(HttpServerRequest request) {
    MultiMap received = request.headers();
    MultiMap sent = passed(received, name -> REPLACED.contains(name) || misleads(name));
    joinCookies(sent);
    String scheme = RequestAuthority.scheme(request);
    String callersHost = RequestAuthority.of(request);
    String host = callersHost == null ? "" : callersHost;
    boolean trusted = settings.forwarding().trusted();
    sent.set(
        HeaderNames.HOST,
        settings.forwarding().host() && !host.isEmpty() ? host : settings.upstream().authority());
    String peer = request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress();
    sent.set(FORWARDED_FOR, added(received, FORWARDED_FOR, trusted, peer));
    sent.set(FORWARDED, added(received, FORWARDED, trusted, forwarded(peer, host, scheme)));
    sent.set(FORWARDED_PROTO, first(received, FORWARDED_PROTO, trusted, scheme));
    sent.set(FORWARDED_HOST, first(received, FORWARDED_HOST, trusted, host));
    sent.set(
        VIA, added(received, VIA, true, ConnectionEnding.http2(request) ? VIA_HTTP2 : VIA_HTTP1));
    return sent;
  }

  /** HTTP/2 may send several; HTTP/1.1 has one line for all. */
  private static void joinCookies(MultiMap sent) {
    List<String> all = sent.getAll(COOKIE);
    if (all.size() > 1) {
      sent.set(COOKIE, String.join("; ", all));
    }
  }

  private static String added(MultiMap received, String name, boolean trusted, String value) {
    List<String> before = received.getAll(name);
    return trusted && !before.isEmpty() ? String.join(", ", before) + ", " + value : value;
  }

  private static String first(MultiMap received, String name, boolean trusted, String value) {
    String before = received.get(name);
    return trusted && before != null ? before : value;
  }

  /** The Forwarded header of RFC 7239. */
  private static String forwarded(String peer, String host, String scheme) {
    String node = peer.contains(":") ? "\"[" + peer + "]\"" : peer;
    String quoted = host.replace("\\", "\\\\").replace("\"", "\\\"");
    return "for=%s;host=\"%s\";proto=%s;by=_semel".formatted(node, quoted, scheme);
  }

  /** The answer's headers for the caller, including its length. */
  static MultiMap forCaller(MultiMap received) {
    return passed(received, name -> false);
  }

  private static MultiMap passed(MultiMap received, Predicate<String> dropped) {
    Set<String> options = options(received);
    MultiMap sent = MultiMap.caseInsensitiveMultiMap();
    for (Map.Entry<String, String> header : received) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      if (!HOP_BY_HOP.contains(name) && !options.contains(name) && !dropped.test(name)) {
        sent.add(header.getKey(), header.getValue());
      }
    }
    return sent;
  }

  /** Names in the Connection headers, in lower case. */
  static Set<String> options(MultiMap received) {
    List<String> lines = received.getAll(HeaderNames.CONNECTION);
    if (lines.isEmpty()) {
      return Set.of();
    }
    Set<String> options = new HashSet<>();
    for (String line : lines) {
      for (String option : line.split(",", -1)) {
        options.add(option.strip().toLowerCase(Locale.ROOT));
      }
    }
    return options;
  }

  /** The headers that are recorded with an answer. */
  static List<HttpHeader> kept(MultiMap received, Set<String> names) {
    return received.entries().stream()
        .filter(header -> names.contains(header.getKey()))
        .map(header -> new HttpHeader(header.getKey(), header.getValue()))
        .toList();
  }

  /** Whether the gateway passes the answer on as it comes, which depends on its type. */
  static boolean isStream(MultiMap received) {
    String type = received.get(HeaderNames.CONTENT_TYPE);
    return type != null && HttpRules.streamed(type);
  }
}
