package dev.semel.server.gateway;

import dev.semel.InvalidInput;
import dev.semel.Tenant;
import dev.semel.http.CallerTenants;
import dev.semel.http.HeadDecision;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRequest;
import dev.semel.server.http.Admission;
import dev.semel.server.http.Authority;
import dev.semel.server.http.Ending;
import dev.semel.server.http.Fields;
import dev.semel.server.http.Names;
import dev.semel.server.http.Problem;
import dev.semel.server.http.Target;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;

/** Which way a request goes, and which goes none. For one loop. */
final class GatewayRouter implements Handler<HttpServerRequest> {
  private static final Problem NO_WEB_SOCKETS =
      Problem.of(
          501,
          "upgrade-not-supported",
          "WebSockets don't pass the gateway: call the service itself");
  private static final Problem NO_METHOD =
      Problem.of(501, "method-not-supported", "the gateway passes neither CONNECT nor TRACE");
  private static final Problem EXPECTATION =
      Problem.of(417, "expectation-failed", "only 100-continue can be expected: leave it out");

  private final GatewaySettings settings;
  private final HttpIdempotency idempotency;
  private final Admission admission;
  private final HeaderRules heads;
  private final GatewayHealth health;
  private final PassThrough passThrough;
  private final RequestGuard guard;

  GatewayRouter(
      GatewaySettings settings,
      Admission admission,
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
    request.exceptionHandler(e -> {}); // a caller that hung up; whoever needs to know says so later
    health.departure().tell(request);
    Problem refusal = admission.check(request);
    if (refusal != null) {
      GatewayReplies.refuse(request, refusal);
      return;
    }
    try {
      Target target = check(request);
      if (target.path().startsWith(GatewayHealth.ROOT)) {
        health.handle(request, target);
      } else {
        route(request, target);
      }
    } catch (InvalidInput e) {
      GatewayReplies.refuse(request, Problem.malformed(String.valueOf(e.getMessage())));
    } catch (Refused e) {
      GatewayReplies.refuse(request, e.problem);
    }
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;

    Refused(Problem problem) {
      super(problem.name(), null, false, false);
      this.problem = problem;
    }
  }

  /** What could be read in two ways is refused here: the upstream might read it in the other. */
  private Target check(HttpServerRequest request) {
    MultiMap headers = request.headers();
    String method = request.method().name();
    if (method.equals("CONNECT") || method.equals("TRACE")) {
      throw new Refused(NO_METHOD);
    }
    if (Ending.http2(request)) {
      HeaderRules.checkText(headers);
    }
    String unused = Authority.of(request); // refuses none, and two
    checkLength(headers);
    if (heads.check(headers)) {
      // Said among other words too, which the server does not look for.
      Ending.announce(request);
      request.response().endHandler(v -> Ending.answered(request));
    }
    if (headers.getAll("Upgrade").stream()
        .anyMatch(line -> line.toLowerCase(Locale.ROOT).contains("websocket"))) {
      throw new Refused(NO_WEB_SOCKETS);
    }
    String expect = Fields.find(headers, Names.EXPECT);
    if (expect != null && !expect.strip().equalsIgnoreCase("100-continue")) {
      throw new Refused(EXPECTATION);
    }
    return target(request, method);
  }

  private static void checkLength(MultiMap headers) {
    String transfer = Fields.find(headers, Names.TRANSFER_ENCODING);
    if (transfer == null) {
      String unused = Fields.find(headers, Names.CONTENT_LENGTH);
      return;
    }
    if (!transfer.strip().equalsIgnoreCase("chunked")) {
      throw new InvalidInput("the only Transfer-Encoding here is chunked");
    }
    if (headers.contains(Names.CONTENT_LENGTH)) {
      throw new InvalidInput("Content-Length and Transfer-Encoding exclude each other: send one");
    }
  }

  private static Target target(HttpServerRequest request, String method) {
    String uri = request.uri();
    for (int i = 0; i < uri.length(); i++) {
      if (uri.charAt(i) <= ' ' || uri.charAt(i) > '~') {
        throw new InvalidInput(
            "the address holds a character that must be percent-encoded: encode it");
      }
    }
    Target target = Target.parse(uri);
    if (target.equals(Target.SERVER) && !method.equals("OPTIONS")) {
      throw new InvalidInput("the address * is for OPTIONS alone");
    }
    return target;
  }

  private void route(HttpServerRequest request, Target target) {
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
      String named = Fields.find(headers, settings.tenantHeader().get());
      if (named != null && !named.isBlank()) {
        return CallerTenants.of(named.strip());
      }
    }
    String secret = Fields.find(headers, Names.AUTHORIZATION);
    return secret == null || secret.isBlank()
        ? Tenant.DEFAULT
        : CallerTenants.hashed(secret.strip());
  }

  /** What could not even be read as HTTP. The connection can't be trusted any more. */
  void refuse(HttpServerRequest request) {
    Ending.announce(request);
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }
}
