package dev.semel.server.metrics;

import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ServerCertificates;
import dev.semel.server.http.ServerConnections;
import java.util.Optional;

/** Metrics of callers' connections since the server started, and of the bytes held for them. */
public final class ConnectionMetrics {
  public static final CharSequence CONTENT_TYPE = HeaderNames.name(PrometheusText.CONTENT_TYPE);

  private ConnectionMetrics() {}

  /** These metrics, and the duration of this process's work, for a server without other metrics. */
  public static String text(ServerConnections connections, MemoryBudget budget, WorkMetrics work) {
    PrometheusText out = new PrometheusText();
    write(out, connections);
    write(out, budget);
    work.write(out);
    LoopMetrics.write(out);
    return out.text();
  }

  static void write(PrometheusText out, ServerConnections connections) {
    ServerConnections.Counts counts = connections.counts();
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
    write(out, connections.certificate());
  }

  private static void write(PrometheusText out, Optional<ServerCertificates.Counts> certificate) {
    PrometheusText.Family reloads =
        out.counter(
            "semel_tls_reloads_total",
            "Changes of the certificate's files, by whether the new ones could be used");
    reloads.sample(
        (double) certificate.map(ServerCertificates.Counts::reloads).orElse(0L), "outcome", "used");
    reloads.sample(
        (double) certificate.map(ServerCertificates.Counts::failures).orElse(0L),
        "outcome",
        "refused");
    PrometheusText.Family expires =
        out.gauge(
            "semel_tls_certificate_expires_seconds",
            "When the certificate in use ends, in seconds since 1970");
    certificate.ifPresent(used -> expires.sample((double) used.expires().getEpochSecond()));
  }

  static void write(PrometheusText out, MemoryBudget budget) {
    out.gauge("semel_held_bytes", "Bytes held for callers").sample((double) budget.held());
    out.gauge("semel_held_bytes_limit", "The limit of those, held-bytes")
        .sample((double) budget.max());
    out.counter("semel_held_refused_total", "Requests refused because no more bytes could be held")
        .sample((double) budget.refused());
    out.counter("semel_held_cut_total", "Callers cut because they took nothing while much was held")
        .sample((double) budget.cut());
  }
}
