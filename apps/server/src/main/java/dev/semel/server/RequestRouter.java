package dev.semel.server;

import dev.semel.server.http.ConnectionAdmission;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.http.RequestAuthority;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.http.RouteTable;
import dev.semel.server.stream.CallFailures;
import dev.semel.server.stream.StreamRoutes;
import dev.semel.stream.StreamPath;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/** Routes a request to its handler. For one event loop. */
final class RequestRouter implements Handler<HttpServerRequest> {
  private static final String RESERVED = StreamRoutes.ROOT + StreamPath.RESERVED + "/";
  private static final ProblemDocument NOTHING =
      ProblemDocument.notFound(
          "there is nothing at this address; streams are below " + StreamRoutes.ROOT);

  private final Authorizer gate;
  private final ConnectionAdmission admission;
  private final StreamRoutes streams;
  private final Handler<HttpServerRequest> reserved;
  private final RouteTable<RequestRoute> others;

  /**
   * @param reserved subscriptions, at the protocol's reserved path
   * @param others routes outside of the streams' path
   */
  RequestRouter(
      Authorizer gate,
      ConnectionAdmission admission,
      StreamRoutes streams,
      Handler<HttpServerRequest> reserved,
      RouteTable<RequestRoute> others) {
    this.gate = gate;
    this.admission = admission;
    this.streams = streams;
    this.reserved = reserved;
    this.others = others;
  }

  /** Answers as for an address that does not exist. */
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
        reserved.handle(request);
      }
    } else if (path.startsWith(StreamRoutes.ROOT)) {
      StreamPath stream = StreamRoutes.path(target);
      if (gate.admits(request, stream)) {
        streams.handle(request, target, stream);
      }
    } else {
      RequestRoute.answer(others, request, target, NOTHING);
    }
  }

  /** Answers a request that could not be parsed as HTTP. */
  void refuse(HttpServerRequest request) {
    gate.mark(request);
    ConnectionEnding.unreadable(request);
  }
}
