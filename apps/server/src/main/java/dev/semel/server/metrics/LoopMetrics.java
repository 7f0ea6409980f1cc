package dev.semel.server.metrics;

import dev.semel.loop.internal.LoopFailures;

/** Failed turns of background loops in this process. */
final class LoopMetrics {
  private LoopMetrics() {}

  static void write(PrometheusText out) {
    PrometheusText.Family failures =
        out.counter(
            "semel_loop_failures_total", "Turns of background loops that failed, in this process");
    LoopFailures.counts().forEach((loop, count) -> failures.sample((double) count, "loop", loop));
  }
}
