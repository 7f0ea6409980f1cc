package dev.semel.server;

import dev.semel.server.http.ConnectionAdmission;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestAuthority;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.metrics.MetricsRoute;
import dev.semel.server.stream.CallFailures;
import dev.semel.server.stream.StreamRoutes;
import dev.semel.stream.StreamPath;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/** Which way a request goes. For one loop. */
final class RequestRouter implements Handler<HttpServerRequest> {
  private static final String RESERVED = StreamRoutes.ROOT + StreamPath.RESERVED + "/";
  private static final ProblemDocument NOTHING =
      ProblemDocument.notFound(
          "there is nothing at this address; streams are below " + StreamRoutes.ROOT);

  private final Authorizer gate;
  private final ConnectionAdmission admission;
  private final StreamRoutes streams;
  private final ServerApi api;
  private final AuxiliaryRoutes beside;

  RequestRouter(
      Authorizer gate,
      ConnectionAdmission admission,
      StreamRoutes streams,
      ServerApi api,
      AuxiliaryRoutes beside) {
    this.gate = gate;
    this.admission = admission;
    this.streams = streams;
    this.api = api;
    this.beside = beside;
  }

  /** Answers as if nothing were there. */
  static void nothing(HttpServerRequest request) {
    NOTHING.send(request);
  }

  @Override
  public void handle(HttpServerRequest request) {
    gate.mark(request);
    ProblemDocument refusal = admission.check(request);
    if (refusal != null) {
      refusal.send(request);
      return;
    }
    try {
      route(request);
    } catch (RuntimeException e) {
      CallFailures.send(request, e);
    }
  }

  private void route(HttpServerRequest request) {
    if (request.method().name().equals("OPTIONS")) {
      gate.preflight(request);
      return;
    }
    RequestAuthority.check(request);
    RequestTarget target = RequestTarget.parse(request.uri());
    String path = target.path();
    if (path.startsWith(RESERVED)) {
      if (gate.admitsReserved(request, path.substring(RESERVED.length()))) {
        beside.reserved().handle(request);
      }
    } else if (path.startsWith(StreamRoutes.ROOT)) {
      StreamPath stream = StreamRoutes.path(target);
      if (gate.admits(request, stream)) {
        streams.handle(request, target, stream);
      }
    } else if (path.equals(MetricsRoute.PATH)) {
      if (gate.admits(request, AccessRight.READ, AccessRules.ANYTHING)) {
        beside.metrics().handle(request);
      }
    } else if (!api.handle(request, target) && !shows(request, target)) {
      nothing(request);
    }
  }

  /** Where there is nothing to administer there is no page for it. */
  private boolean shows(HttpServerRequest request, RequestTarget target) {
    return beside.page().isPresent() && beside.page().get().handle(request, target);
  }

  /**
   * What could not even be read as HTTP: 414 for a first line that is too long, 431 for headers
   * that are too large, else 400. The connection can't be trusted any more.
   */
  void refuse(HttpServerRequest request) {
    gate.mark(request);
    ConnectionEnding.announce(request);
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }
}
