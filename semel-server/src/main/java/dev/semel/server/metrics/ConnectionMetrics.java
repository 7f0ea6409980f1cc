package dev.semel.server.metrics;

import dev.semel.server.http.Connections;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.Names;

/** What became of those who connected since the server started, and what is held for them. */
public final class ConnectionMetrics {
  public static final CharSequence CONTENT_TYPE = Names.name(Exposition.CONTENT_TYPE);

  private ConnectionMetrics() {}

  /** These alone, for a server that has no others. */
  public static String text(Connections connections, MemoryBudget budget) {
    Exposition out = new Exposition();
    write(out, connections.counts());
    write(out, budget);
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

  static void write(Exposition out, MemoryBudget budget) {
    out.gauge("semel_held_bytes", "Bytes held for callers").sample((double) budget.held());
    out.gauge("semel_held_bytes_limit", "The limit of those, held-bytes")
        .sample((double) budget.max());
    out.counter("semel_held_refused_total", "Requests refused because no more bytes could be held")
        .sample((double) budget.refused());
    out.counter("semel_held_cut_total", "Callers cut because they took nothing while much was held")
        .sample((double) budget.cut());
  }
}
