package dev.semel.benchmarks.growth;

import java.util.List;

/** Maps a value to its place in the picture. */
record Scale(boolean log, double low, double high, double from, double to, List<Double> ticks) {
  double place(double value) {
    double part =
        log
            ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
            : (value - low) / (high - low);
    return from + part * (to - from);
  }
}
