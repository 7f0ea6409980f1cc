package dev.semel.nats;

import dev.semel.job.Job;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.ServerInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Warnings about a stream's settings that weaken the guarantees, one sentence each. */
final class JetStreamHazards {
  /** With a longer window the server's memory holds many ids. */
  static final Duration LONG_WINDOW = Duration.ofHours(1);

  /** With a shorter age a consumer that is down for a weekend misses messages. */
  static final Duration SHORT_AGE = Duration.ofDays(3);

  /** The server's limit for headers. */
  private static final int MAX_HEADER_BYTES = 64 << 10;

  private JetStreamHazards() {}

  static List<String> of(StreamConfiguration stream, ServerInfo server, Duration retrySpan) {
    List<String> found = common(stream, server, retrySpan);
    boolean limited = stream.getMaxBytes() > 0 || stream.getMaxMsgs() > 0;
    if (stream.getMaxMsgsPerSubject() > 0
        || (limited && stream.getDiscardPolicy() == DiscardPolicy.Old)) {
      found.add(
          "the stream %s drops its oldest messages when it is full: use the discard policy new"
              .formatted(stream.getName()));
    }
    return found;
  }

  /** Checks a stream of jobs, which keeps one message per subject. */
  static List<String> ofJobs(StreamConfiguration stream, ServerInfo server, Duration retrySpan) {
    List<String> found = common(stream, server, retrySpan);
    long needed = (long) Job.MAX_PAYLOAD_BYTES + MAX_HEADER_BYTES;
    if (server.getMaxPayload() < needed) {
      found.add(
          "the server takes messages of %d bytes, but a job may be as large as %d with its headers: raise max_payload, or keep jobs small"
              .formatted(server.getMaxPayload(), needed));
    }
    return found;
  }

  private static List<String> common(
      StreamConfiguration stream, ServerInfo server, Duration retrySpan) {
    List<String> found = new ArrayList<>();
    String name = "the stream " + stream.getName();
    Duration window = StreamCheck.orZero(stream.getDuplicateWindow());
    if (window.compareTo(retrySpan) < 0) {
      found.add(
          "%s knows ids for %s, but a message may be sent again after %s: make its duplicate window at least as long"
              .formatted(name, window, retrySpan));
    }
    if (window.compareTo(LONG_WINDOW) > 0) {
      found.add(
          "%s knows ids for %s, and all of them are in the server's memory: let the inbox drop what is older than %s"
              .formatted(name, window, LONG_WINDOW));
    }
    boolean clustered = server.getCluster() != null && !server.getCluster().isEmpty();
    if (stream.getReplicas() == 1 && clustered) {
      found.add(name + " has one replica in a cluster, and is away with its server: use 3");
    }
    if (stream.getStorageType() == StorageType.Memory) {
      found.add(name + " is in memory, and gone when its server restarts: use file storage");
    } else {
      found.add(
          "whether the server forces its files to the disk can't be seen from here: set sync_interval to"
              + " always in its jetstream settings, or a power cut takes confirmed messages");
    }
    Duration age = StreamCheck.orZero(stream.getMaxAge());
    if (!age.isZero() && age.compareTo(SHORT_AGE) < 0) {
      found.add(
          "%s drops messages after %s, delivered or not: make its max age longer than any consumer may be down"
              .formatted(name, age));
    }
    if (stream.getNoAck()) {
      found.add(name + " confirms nothing (no_ack): switch that off");
    }
    return found;
  }
}
