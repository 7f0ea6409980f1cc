package dev.semel.server.metrics;

import dev.semel.server.http.Histogram;
import dev.semel.stream.spi.StreamCounts;

/** Metrics of the server's own streams: their activity since it started, and their size. */
final class StreamMetrics {
  private StreamMetrics() {}

  /**
   * The values at one moment.
   *
   * @param liveReaders number of readers that wait for data
   * @param bytesOut bytes sent to readers
   * @param appendTimes from an append's last byte to its answer
   */
  record Sample(StreamCounts counts, long liveReaders, long bytesOut, Histogram appendTimes) {}

  static void write(PrometheusText out, Sample sample) {
    StreamCounts counts = sample.counts();
    PrometheusText.Family appends =
        out.counter("semel_stream_appends_total", "Appends, by what they were answered");
    appends.sample((double) counts.appends(), "outcome", "written");
    appends.sample((double) counts.duplicates(), "outcome", "duplicate");
    appends.sample((double) counts.fenced(), "outcome", "fenced");
    appends.sample((double) counts.refused(), "outcome", "refused");
    out.histogram(
        "semel_stream_append_seconds",
        "How long appends took, from their last byte to their answer",
        sample.appendTimes(),
        "");
    counter(out, "semel_stream_bytes_in_total", "Bytes that were written", counts.bytesIn());
    counter(out, "semel_stream_bytes_out_total", "Bytes sent to readers", sample.bytesOut());
    counter(
        out,
        "semel_stream_commits_total",
        "Commits, which appends share; each is one force of the journal",
        counts.commits());
    gauge(out, "semel_stream_live_readers", "Readers that wait for data", sample.liveReaders());
    gauge(out, "semel_streams", "Streams that there are", counts.streams());
    gauge(
        out,
        "semel_stream_journal_bytes",
        "Bytes of the journal that no checkpoint has yet",
        counts.journalBytes());
  }

  private static void counter(PrometheusText out, String name, String help, long value) {
    out.counter(name, help).sample((double) value);
  }

  private static void gauge(PrometheusText out, String name, String help, long value) {
    out.gauge(name, help).sample((double) value);
  }
}
