package dev.semel.server.metrics;

import dev.semel.server.http.Connections;
import dev.semel.server.http.Names;

/** What became of those who connected since the server started. */
public final class ConnectionMetrics {
  public static final CharSequence CONTENT_TYPE = Names.name(Exposition.CONTENT_TYPE);

  private ConnectionMetrics() {}

  /** These alone, for a server that has no others. */
  public static String text(Connections.Counts counts) {
    Exposition out = new Exposition();
    write(out, counts);
    return out.text();
  }

  static void write(Exposition out, Connections.Counts counts) {
    out.gauge("semel_http_connections", "Connections of callers that are open")
        .sample((double) counts.open());
    out.gauge("semel_http_connections_limit", "How many of them there may be")
        .sample((double) counts.limit());
    out.counter(
            "semel_http_connections_beyond_limit_total",
            "Connections that came when the limit was reached, where only health checks are answered")
        .sample((double) counts.beyondLimit());
    out.counter(
            "semel_http_accepts_failed_total",
            "Connections could not be accepted, such as for want of descriptors; tried again")
        .sample((double) counts.failedAccepts());
    out.counter(
            "semel_http_slow_bodies_total", "Requests cut off because their bodies came too slowly")
        .sample((double) counts.slowBodies());
  }
}
