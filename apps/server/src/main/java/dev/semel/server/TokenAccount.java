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

/** A token that has a quota, and what its bearers use of it. Safe for all threads. */
final class TokenAccount {
  private final byte[] tokenHash;
  private final String name;
  private final TokenQuota quota;
  private final List<String> prefixes;
  private final Set<HttpConnection> connections = new HashSet<>();
  private long stored;
  private long reserved;

  /** What was stored since the last count began: it may be in that count, or not. */
  private long sinceCount;

  /**
   * @param name what it is called where that is shown
   * @param prefixes below which its bearers may append; an empty one: everywhere
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

  /** Whether this connection is among those that may be open; from here on it is. */
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
   * Whether there is room for what this request may bring. If so, that is held for it until it is
   * answered.
   *
   * @param most what a request may bring that does not say how much
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
    if (said != null && said.length() <= 18) { // digits, as the decoder has made sure
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

  /** For one request, on its loop. */
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

    /** By what was answered: a duplicate is 204 to whoever named its producer. */
    private boolean written() {
      HttpServerResponse response = request.response();
      boolean post = request.method().name().equals("POST");
      return switch (response.getStatusCode()) {
        case 201 -> true;
        case 200 -> post;
        case 204 ->
            HeaderFields.find(request.headers(), HeaderNames.PRODUCER_ID) == null
                && HeaderFields.find(request.headers(), HeaderNames.X_PRODUCER_ID) == null;
        case 500, 503 -> true; // nobody knows: the next count does
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
