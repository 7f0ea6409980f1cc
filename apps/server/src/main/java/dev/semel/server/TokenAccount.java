package dev.semel.server;

import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Usage of a token that has a quota. Safe for all threads. */
final class TokenAccount {
  private final byte[] tokenHash;
  private final String name;
  private final TokenQuota quota;
  private final List<String> prefixes;
  private final Set<HttpConnection> connections = new HashSet<>();
  private long stored;
  private long reserved;

  /** Bytes stored since the last count began. That count may or may not include them. */
  private long sinceCount;

  /**
   * @param name the token's displayed name
   * @param prefixes below which the token may append; an empty one: everywhere
   */
  TokenAccount(byte[] tokenHash, String name, TokenQuota quota, List<String> prefixes) {
    this.tokenHash = tokenHash;
    this.name = name;
    this.quota = quota;
    this.prefixes = prefixes;
  }

  byte[] tokenHash() {
    return tokenHash;
  }

  String name() {
    return name;
  }

  TokenQuota quota() {
    return quota;
  }

  List<String> prefixes() {
    return prefixes;
  }

  synchronized int openConnections() {
    return connections.size();
  }

  synchronized long storedBytes() {
    return stored + reserved;
  }

  /** Counts this connection, unless it is counted already; false: the quota is used up. */
  synchronized boolean admits(HttpConnection connection) {
    if (quota.connections() == 0) {
      return true;
    }
    return connections.contains(connection)
        || (connections.size() < quota.connections() && connections.add(connection));
  }

  synchronized void closed(HttpConnection connection) {
    connections.remove(connection);
  }

  /**
   * Reserves room for the body of this request until it is answered; false: there is none.
   *
   * @param most the size to reserve if the request does not declare one
   */
  boolean admits(HttpServerRequest request, int most) {
    if (quota.bytes() == 0) {
      return true;
    }
    long length = length(request, most);
    synchronized (this) {
      if (length > quota.bytes() - stored - reserved) {
        return false;
      }
      reserved += length;
    }
    Reservation held = new Reservation(request, length);
    request.response().bodyEndHandler(v -> held.answered());
    request.response().closeHandler(v -> held.settle(true));
    return true;
  }

  private static long length(HttpServerRequest request, int most) {
    String said = request.headers().get(HeaderNames.CONTENT_LENGTH);
    if (said != null && said.length() <= 18) { // the decoder allows only digits
      return Long.parseLong(said);
    }
    boolean none =
        said == null
            && !ConnectionEnding.http2(request)
            && !request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    return none ? 0 : most;
  }

  synchronized void beginCount() {
    sinceCount = 0;
  }

  synchronized void counted(long bytes) {
    stored = bytes + sinceCount;
  }

  /** Room that is reserved for one request. Called on the request's event loop. */
  private final class Reservation {
    private final HttpServerRequest request;
    private final long length;
    private boolean over;

    Reservation(HttpServerRequest request, long length) {
      this.request = request;
      this.length = length;
    }

    void answered() {
      settle(written());
    }

    /** Derives it from the answer: 204 to a named producer means a duplicate. */
    private boolean written() {
      HttpServerResponse response = request.response();
      boolean post = request.method().name().equals("POST");
      return switch (response.getStatusCode()) {
        case 201 -> true;
        case 200 -> post;
        case 204 ->
            HeaderFields.find(request.headers(), HeaderNames.PRODUCER_ID) == null
                && HeaderFields.find(request.headers(), HeaderNames.X_PRODUCER_ID) == null;
        case 500, 503 -> true; // unknown: the next count corrects it
        default -> false;
      };
    }

    void settle(boolean written) {
      synchronized (TokenAccount.this) {
        if (over) {
          return;
        }
        over = true;
        reserved -= length;
        if (written) {
          long bytes = Math.min(length, request.bytesRead());
          stored += bytes;
          sinceCount += bytes;
        }
      }
    }
  }
}
