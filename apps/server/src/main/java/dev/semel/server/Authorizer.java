package dev.semel.server;

import dev.semel.InvalidInput;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.LoopbackAddresses;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestAuthority;
import dev.semel.server.http.ShutdownState;
import dev.semel.server.stream.StreamRoutes;
import dev.semel.server.subscription.Subscriptions;
import dev.semel.stream.StreamPath;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Authorizes a request, or refuses it with a problem document. Without tokens the server serves
 * this machine only. But browsers on it also run pages of other sites, which must neither change
 * nor read anything.
 */
final class Authorizer {
  private static final ProblemDocument NO_TOKEN =
      ProblemDocument.of(401, "unauthorized", "send a token: Authorization: Bearer …");
  private static final ProblemDocument NO_RIGHT =
      ProblemDocument.of(403, "forbidden", "the token gives no right to do this here");
  private static final ProblemDocument FOREIGN_ORIGIN =
      ProblemDocument.of(
          403,
          "foreign-origin",
          "pages of another origin may not change anything here: allow the origin, or use tokens");
  private static final ProblemDocument FOREIGN_HOST =
      ProblemDocument.of(
          403,
          "foreign-host",
          "the Host header names another machine: address this server as localhost or 127.0.0.1");

  /** Separates the scheme of an origin from its host. */
  private static final String AUTHORITY = "://";

  private static final CharSequence NOSNIFF = HeaderNames.name("nosniff");
  private static final CharSequence SAME_ORIGIN = HeaderNames.name("same-origin");
  private static final CharSequence CROSS_ORIGIN = HeaderNames.name("cross-origin");
  private static final CharSequence ANY = HeaderNames.name("*");
  private static final CharSequence BY_ORIGIN = HeaderNames.name("Origin");
  private static final CharSequence METHODS = HeaderNames.name(StreamRoutes.METHODS);
  private static final CharSequence DAY = HeaderNames.name("86400");
  private static final CharSequence BEARER_WANTED = HeaderNames.name("Bearer realm=\"semel\"");
  private static final CharSequence SENT =
      HeaderNames.name(
          "authorization, content-type, if-match, if-none-match, stream-ttl, stream-expires-at, stream-closed, stream-seq, stream-forked-from, stream-fork-offset, stream-fork-sub-offset, producer-id, producer-epoch, producer-seq, x-producer-id, x-producer-epoch, x-producer-seq");
  private static final CharSequence SHOWN =
      HeaderNames.name(
          "etag, location, retry-after, stream-next-offset, stream-cursor, stream-up-to-date, stream-closed, stream-ttl, stream-expires-at, stream-sse-data-encoding, producer-epoch, producer-seq, producer-expected-seq, producer-received-seq, x-producer-epoch, x-expected-seq, x-current-epoch, x-error");

  private final AccessRules access;
  private final Set<String> origins;
  private final boolean readOnly;
  private final TokenQuotas quotas;
  private final ShutdownState departure;
  private final int maxBodyBytes;

  Authorizer(ServerSettings settings, TokenQuotas quotas, ShutdownState departure) {
    this.access = settings.access();
    this.origins = settings.origins();
    this.readOnly = settings.readOnly();
    this.quotas = quotas;
    this.departure = departure;
    this.maxBodyBytes = settings.serving().maxBodyBytes();
  }

  /** Sets the headers that every answer has, errors included. */
  void mark(HttpServerRequest request) {
    departure.tell(request);
    MultiMap headers = request.response().headers();
    headers.add(HeaderNames.CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.add(HeaderNames.RESOURCE_POLICY, access.isOpen() ? SAME_ORIGIN : CROSS_ORIGIN);
    String origin = request.headers().get(HeaderNames.ORIGIN);
    if (origin == null) {
      return;
    }
    if (!access.isOpen()) {
      headers.add(HeaderNames.ALLOW_ORIGIN, ANY).add(HeaderNames.EXPOSE_HEADERS, SHOWN);
    } else {
      headers.add(HeaderNames.VARY, BY_ORIGIN);
      if (origins.contains(origin)) {
        headers.add(HeaderNames.ALLOW_ORIGIN, origin).add(HeaderNames.EXPOSE_HEADERS, SHOWN);
      }
    }
  }

  /** Whether the server is about to stop, so that load balancers should choose another one. */
  boolean closing() {
    return departure.begun();
  }

  /** Answers a browser's preflight request (CORS). */
  void preflight(HttpServerRequest request) {
    request
        .response()
        .setStatusCode(204)
        .putHeader(HeaderNames.ALLOW_METHODS, METHODS)
        .putHeader(HeaderNames.ALLOW_HEADERS, SENT)
        .putHeader(HeaderNames.MAX_AGE, DAY)
        .end();
  }

  /** Authorizes the protocol's methods on a stream; on false, it has answered with the reason. */
  boolean admits(HttpServerRequest request, StreamPath path) {
    AccessRight right =
        switch (request.method().name()) {
          case "GET", "HEAD" -> AccessRight.READ;
          case "DELETE" -> AccessRight.ADMIN;
          default -> AccessRight.APPEND;
        };
    if (!admits(request, right, path.text())) {
      return false;
    }
    if (right != AccessRight.APPEND || access.isOpen()) {
      return true;
    }
    Optional<StreamPath> source = StreamRoutes.forkedFrom(request);
    return (source.isEmpty() || admits(request, AccessRight.READ, source.get().text()))
        && hasRoom(request);
  }

  private boolean hasRoom(HttpServerRequest request) {
    TokenAccount account = quotas.of(token(request));
    return account == null
        || account.admits(request, maxBodyBytes)
        || refuse(
            request,
            ProblemDocument.of(
                507,
                "stored-bytes-quota",
                "the token's quota of %d stored bytes leaves no room for this: nothing was written; delete streams, or ask for more"
                    .formatted(account.quota().bytes())));
  }

  private boolean mayConnect(HttpServerRequest request) {
    TokenAccount account = quotas.of(token(request));
    if (account == null || quotas.admit(request.connection(), account)) {
      return true;
    }
    ShutdownState.last(request);
    request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    return refuse(
        request,
        ProblemDocument.of(
            429,
            "connections-quota",
            "the token's quota of %d open connections is reached: use those, or close one"
                .formatted(account.quota().connections())));
  }

  /**
   * Authorizes requests to the subscriptions. Workers bring the token of a wake, which the
   * subscriptions check.
   *
   * @param below the path behind {@code __ds/}
   */
  boolean admitsReserved(HttpServerRequest request, String below) {
    return switch (Subscriptions.admission(request, below)) {
      case ANYONE, WORKERS -> admitsOrigin(request);
      case READERS -> admits(request, AccessRight.READ, AccessRules.ANYTHING);
      case OWNERS -> admits(request, AccessRight.ADMIN, AccessRules.ANYTHING);
    };
  }

  /**
   * @param path a stream's path; with {@link AccessRules#ANYTHING} behind it, all paths that begin
   *     with it
   */
  boolean admits(HttpServerRequest request, AccessRight right, String path) {
    if (!admitsOrigin(request)) {
      return false;
    }
    return switch (access.check(token(request), right, path)) {
      case ALLOWED -> mayConnect(request);
      case FORBIDDEN -> refuse(request, NO_RIGHT);
      case UNKNOWN -> {
        request.response().putHeader(HeaderNames.WWW_AUTHENTICATE, BEARER_WANTED);
        yield refuse(request, NO_TOKEN);
      }
    };
  }

  /** Usage of the tokens' quotas. */
  TokenQuotas quotas() {
    return quotas;
  }

  /**
   * Authorizes a request of the admin API and names its caller; empty: it has answered with the
   * reason.
   */
  Optional<String> admits(HttpServerRequest request, boolean changes) {
    return admits(request, changes ? AccessRight.ADMIN : AccessRight.READ, AccessRules.ANYTHING)
        ? Optional.of(AccessRules.name(access.isOpen() ? null : token(request)))
        : Optional.empty();
  }

  /** Whether {@link #admits(HttpServerRequest, boolean)} would let this caller change something. */
  boolean mayChange(HttpServerRequest request) {
    return !readOnly
        && access.check(token(request), AccessRight.ADMIN, AccessRules.ANYTHING)
            == AccessRules.Verdict.ALLOWED;
  }

  private boolean admitsOrigin(HttpServerRequest request) {
    boolean changes = changes(request);
    if (readOnly && changes) {
      ProblemDocument.notAllowed(request, "GET, HEAD, OPTIONS");
      return false;
    }
    if (!access.isOpen()) {
      return true;
    }
    String host = RequestAuthority.of(request);
    // DNS rebinding: a page can point its own name at this machine, but its requests carry that
    // name.
    if (host != null && !LoopbackAddresses.names(host)) {
      return refuse(request, FOREIGN_HOST);
    }
    String origin = HeaderFields.find(request.headers(), HeaderNames.ORIGIN);
    return !changes
        || origin == null
        || origins.contains(origin)
        || own(origin, host)
        || refuse(request, FOREIGN_ORIGIN);
  }

  private static boolean own(String origin, @Nullable String host) {
    int scheme = origin.indexOf(AUTHORITY);
    return host != null
        && scheme > 0
        && origin.substring(scheme + AUTHORITY.length()).equalsIgnoreCase(host);
  }

  private static boolean changes(HttpServerRequest request) {
    return switch (request.method().name()) {
      case "GET", "HEAD", "OPTIONS" -> false;
      default -> true;
    };
  }

  private static boolean refuse(HttpServerRequest request, ProblemDocument problem) {
    problem.send(request);
    return false;
  }

  private static @Nullable String token(HttpServerRequest request) {
    return HeaderFields.bearer(request.headers());
  }

  /**
   * Throws if callers from other machines could connect without a token, or in plain HTTP although
   * TLS is required.
   */
  static void checkAddress(ServerSettings settings) {
    settings.tls().check(settings.host());
    if (settings.access().isOpen() && !LoopbackAddresses.isAddress(settings.host())) {
      throw new InvalidInput(
          "anyone on the network could use %s without a token: give a token file, or listen on 127.0.0.1"
              .formatted(settings.host()));
    }
  }
}
