package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.rules.ProtocolCode;
import dev.semel.server.subscription.internal.rules.SubscriptionReply;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeoutException;

/** Renders answers. */
final class SubscriptionReplies {
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  private static final String JSON = "application/json";
  private static final String NO_STORE = "no-store";

  /** Seconds after which a caller may come back. */
  private static final String SOON = "1";

  private SubscriptionReplies() {}

  static void send(HttpServerRequest request, SubscriptionReply reply) {
    switch (reply) {
      case SubscriptionReply.Nothing r -> head(request, 204, NO_STORE).end();
      case SubscriptionReply.Described r ->
          json(request, r.created() ? 201 : 200, JSON, NO_STORE, r.subscription());
      case SubscriptionReply.Granted r -> json(request, 200, JSON, NO_STORE, r.claim());
      case SubscriptionReply.Taken r ->
          json(
              request,
              200,
              JSON,
              NO_STORE,
              Json.object().with("ok", true).with("next_wake", r.nextWake()).build());
      case SubscriptionReply.Busy r ->
          error(
              request,
              ProtocolCode.ALREADY_CLAIMED,
              error(
                      ProtocolCode.ALREADY_CLAIMED,
                      "another worker holds the wake: wait for the next one")
                  .with("current_holder", r.holder())
                  .with("generation", r.generation()));
      case SubscriptionReply.Refused r -> refuse(request, r.code(), r.message());
    }
  }

  static void keys(HttpServerRequest request, JsonObject keys) {
    json(request, 200, "application/jwk-set+json", "public, max-age=300", keys);
  }

  static void refuse(HttpServerRequest request, ProtocolCode code, String message) {
    if (code == ProtocolCode.UNAVAILABLE) {
      request.response().putHeader("retry-after", SOON);
    }
    error(request, code, error(code, message));
  }

  static void fail(HttpServerRequest request, Throwable failure) {
    switch (failure) {
      case InvalidInput e ->
          refuse(request, ProtocolCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
      case StoreException e ->
          refuse(
              request,
              ProtocolCode.UNAVAILABLE,
              "the server can't reach its store: whether this took effect is unknown, so repeat it the same way");
      case TimeoutException e ->
          refuse(
              request, ProtocolCode.UNAVAILABLE, "the store did not answer in time: repeat this");
      default -> {
        LOG.log(Level.ERROR, "a request failed for a reason of our own", failure);
        refuse(request, ProtocolCode.INTERNAL, "the server failed: its log says more");
      }
    }
  }

  private static JsonObjectBuilder error(ProtocolCode code, String message) {
    return Json.object().with("code", code.name()).with("message", message);
  }

  private static void error(HttpServerRequest request, ProtocolCode code, JsonObjectBuilder error) {
    json(
        request, code.status(), JSON, NO_STORE, Json.object().with("error", error.build()).build());
  }

  private static void json(
      HttpServerRequest request, int status, String type, String caching, JsonObject body) {
    Buffer bytes = Buffer.buffer(Json.write(body));
    HttpServerResponse response = head(request, status, caching).putHeader("content-type", type);
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader("content-length", Integer.toString(bytes.length())).end();
    } else {
      response.end(bytes);
    }
  }

  private static HttpServerResponse head(HttpServerRequest request, int status, String caching) {
    return request
        .response()
        .setStatusCode(status)
        .putHeader("cache-control", caching)
        .putHeader("x-content-type-options", "nosniff")
        .putHeader("cross-origin-resource-policy", "cross-origin");
  }
}
