package dev.semel.server.gateway;

import dev.semel.InvalidInput;
import dev.semel.Tenant;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.spi.CallerTenants;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpRequest;
import dev.semel.server.http.ConnectionAdmission;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestAuthority;
import dev.semel.server.http.RequestTarget;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;

/** Decides whether a request is guarded, passed through or refused. For one event loop. */
final class GatewayRouter implements Handler<HttpServerRequest> {
  private static final ProblemDocument NO_WEB_SOCKETS =
      ProblemDocument.of(
          501,
          "upgrade-not-supported",
          "WebSockets don't pass the gateway: call the service itself");
  private static final ProblemDocument NO_METHOD =
      ProblemDocument.of(
          501, "method-not-supported", "the gateway passes neither CONNECT nor TRACE");
  private static final ProblemDocument EXPECTATION =
      ProblemDocument.of(
          417, "expectation-failed", "only 100-continue can be expected: leave it out");

  private final GatewaySettings settings;
  private final HttpIdempotency idempotency;
  private final ConnectionAdmission admission;
  private final HeaderRules heads;
  private final GatewayHealth health;
  private final PassThrough passThrough;
  private final RequestGuard guard;

  GatewayRouter(
      GatewaySettings settings,
      ConnectionAdmission admission,
      HeaderRules heads,
      GatewayHealth health,
      PassThrough passThrough,
      RequestGuard guard) {
    this.settings = settings;
    this.admission = admission;
    this.idempotency = guard.idempotency();
    this.heads = heads;
    this.health = health;
    this.passThrough = passThrough;
    this.guard = guard;
  }

  @Override
  public void handle(HttpServerRequest request) {
    request.exceptionHandler(e -> {}); // a caller that hung up; later handlers replace this one
    health.departure().tell(request);
    ProblemDocument refusal = admission.check(request);
    if (refusal != null) {
      GatewayReplies.refuse(request, refusal);
      return;
    }
    try {
      RequestTarget target = check(request);
      if (target.path().startsWith(GatewayHealth.ROOT)) {
        health.handle(request, target);
      } else {
        route(request, target);
      }
    } catch (InvalidInput e) {
      GatewayReplies.refuse(request, ProblemDocument.malformed(String.valueOf(e.getMessage())));
    } catch (Refused e) {
      GatewayReplies.refuse(request, e.problem);
    }
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient ProblemDocument problem;

    Refused(ProblemDocument problem) {
      super(problem.name(), null, false, false);
      this.problem = problem;
    }
  }

  /** Refuses ambiguous requests, because the upstream might read them differently. */
  private RequestTarget check(HttpServerRequest request) {
    MultiMap headers = request.headers();
    String method = request.method().name();
    if (method.equals("CONNECT") || method.equals("TRACE")) {
      throw new Refused(NO_METHOD);
    }
    if (ConnectionEnding.http2(request)) {
      HeaderRules.checkText(headers);
    }
    String unused = RequestAuthority.of(request); // throws if there is no host, or two
    checkLength(headers);
    if (heads.check(headers)) {
      // The server ignores a close among other words of the header, so the gateway repeats it.
      ConnectionEnding.announce(request);
      request.response().endHandler(v -> ConnectionEnding.answered(request));
    }
    if (headers.getAll("Upgrade").stream()
        .anyMatch(line -> line.toLowerCase(Locale.ROOT).contains("websocket"))) {
      throw new Refused(NO_WEB_SOCKETS);
    }
    String expect = HeaderFields.find(headers, HeaderNames.EXPECT);
    if (expect != null && !expect.strip().equalsIgnoreCase("100-continue")) {
      throw new Refused(EXPECTATION);
    }
    return target(request, method);
  }

  private static void checkLength(MultiMap headers) {
    String transfer = HeaderFields.find(headers, HeaderNames.TRANSFER_ENCODING);
    if (transfer == null) {
      String unused = HeaderFields.find(headers, HeaderNames.CONTENT_LENGTH);
      return;
    }
    if (!transfer.strip().equalsIgnoreCase("chunked")) {
      throw new InvalidInput("the only Transfer-Encoding here is chunked");
    }
    if (headers.contains(HeaderNames.CONTENT_LENGTH)) {
      throw new InvalidInput("Content-Length and Transfer-Encoding exclude each other: send one");
    }
  }

  private static RequestTarget target(HttpServerRequest request, String method) {
    String uri = request.uri();
    for (int i = 0; i < uri.length(); i++) {
      if (uri.charAt(i) <= ' ' || uri.charAt(i) > '~') {
        throw new InvalidInput(
            "the address holds a character that must be percent-encoded: encode it");
      }
    }
    RequestTarget target = RequestTarget.parse(uri);
    if (target.equals(RequestTarget.SERVER) && !method.equals("OPTIONS")) {
      throw new InvalidInput("the address * is for OPTIONS alone");
    }
    return target;
  }

  private void route(HttpServerRequest request, RequestTarget target) {
    if (!settings.paths().isEmpty() && !isBelow(target.path(), settings.paths())) {
      passThrough.stream(request, target);
      return;
    }
    HttpRequest head =
        new HttpRequest(
            tenant(request.headers()),
            request.method().name(),
            target.path(),
            target.query(),
            name -> request.headers().getAll(name));
    switch (idempotency.look(head)) {
      case HeadDecision.Pass p -> passThrough.stream(request, target);
      case HeadDecision.Refused r -> GatewayReplies.refuse(request, r.answer());
      case HeadDecision.NeedsBody needed -> guard.take(request, target, needed);
    }
  }

  private static boolean isBelow(String path, List<String> prefixes) {
    for (String prefix : prefixes) {
      if (path.startsWith(prefix)
          && (prefix.endsWith("/")
              || path.length() == prefix.length()
              || path.charAt(prefix.length()) == '/')) {
        return true;
      }
    }
    return false;
  }

  private Tenant tenant(MultiMap headers) {
    if (settings.tenantHeader().isPresent()) {
      String named = HeaderFields.find(headers, settings.tenantHeader().get());
      if (named != null && !named.isBlank()) {
        return CallerTenants.of(named.strip());
      }
    }
    String secret = HeaderFields.find(headers, HeaderNames.AUTHORIZATION);
    return secret == null || secret.isBlank()
        ? Tenant.DEFAULT
        : CallerTenants.hashed(secret.strip());
  }
}
