package dev.semel.server.gateway;

import dev.semel.server.http.ProblemDocument;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Error answers for an upstream that did not answer. */
final class UpstreamErrors {
  static final ProblemDocument BUSY =
      ProblemDocument.of(
          503,
          "gateway-busy",
          "more requests are under way than the gateway takes: nothing was done, try again in a moment");

  static final ProblemDocument INTERNAL =
      ProblemDocument.of(500, "internal", "the gateway failed: its log says more");

  private static final ProblemDocument UNREACHABLE =
      ProblemDocument.of(
          502,
          "upstream-unreachable",
          "the service can't be reached and nothing was sent to it: try again");

  private static final ProblemDocument UNTRUSTED =
      ProblemDocument.of(
          502,
          "upstream-unreachable",
          "the service did not prove by its certificate that it is the one, so nothing was sent to it");

  private UpstreamErrors() {}

  /** Nothing was sent. */
  static ProblemDocument notSent(Throwable cause) {
    if (cause instanceof SSLException) {
      return UNTRUSTED;
    }
    return cause instanceof ConnectionPoolTooBusyException ? BUSY : UNREACHABLE;
  }

  /** Something was sent, under a key. */
  static ProblemDocument inDoubt(Throwable cause) {
    return ProblemDocument.of(
        status(cause),
        "outcome-in-doubt",
        "the request was sent to the service, which %s: it may or may not have taken effect, so its key is in doubt; find out before you send it with a new key"
            .formatted(how(cause)));
  }

  /** Something was sent, without a key. */
  static ProblemDocument unknown(Throwable cause) {
    return ProblemDocument.of(
        status(cause),
        cause instanceof TimeoutException ? "upstream-timeout" : "upstream-failed",
        "the request was sent to the service, which %s: it may or may not have taken effect"
            .formatted(how(cause)));
  }

  private static int status(Throwable cause) {
    return cause instanceof TimeoutException ? 504 : 502;
  }

  private static String how(Throwable cause) {
    return cause instanceof TimeoutException
        ? "did not answer in time"
        : "ended the connection before it had answered";
  }
}
