package dev.semel.nats;

import dev.semel.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The JetStream stream that holds streams: created if missing, and refused if its settings could
 * drop something.
 */
final class StreamsStream {
  private static final int NAME_IN_USE = 10058;
  private static final int NO_SUITABLE_PEERS = 10005;

  /** How long a starting cluster may need until its servers know each other. */
  private static final Duration GATHERING = Duration.ofSeconds(15);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  /** The number of replicas of a new stream in a cluster. */
  private static final int REPLICAS = 3;

  private StreamsStream() {}

  static StreamInfo ensure(Connection connection, StreamsSettings settings) {
    StreamCheck.requireServer(connection.getServerInfo());
    try {
      JetStreamManagement management = connection.jetStreamManagement();
      StreamInfo there = find(connection, management, settings);
      List<String> differences = differences(settings, there.getConfiguration());
      if (!differences.isEmpty()) {
        throw new StoreException(
            "the stream %s can't hold streams, and is left as it is: %s. Change it, or name another with ?stream=NAME"
                .formatted(settings.name(), String.join("; ", differences)));
      }
      return there;
    } catch (IOException e) {
      throw new StoreException("JetStream did not answer: is it enabled on the server?", e);
    } catch (JetStreamApiException e) {
      throw new StoreException(
          "the stream %s can't be used. NATS said: %s. Where there are fewer servers than replicas, say so with ?replicas=1"
              .formatted(settings.name(), e.getErrorDescription()),
          e);
    }
  }

  private static StreamInfo find(
      Connection connection, JetStreamManagement management, StreamsSettings settings)
      throws IOException, JetStreamApiException {
    try {
      return management.getStreamInfo(settings.name());
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NatsErrors.STREAM_NOT_FOUND) {
        throw e;
      }
    }
    return make(connection, management, settings);
  }

  /**
   * Creates the stream. Retries for a while, because servers of a starting cluster don't count each
   * other yet.
   */
  private static StreamInfo make(
      Connection connection, JetStreamManagement management, StreamsSettings settings)
      throws IOException, JetStreamApiException {
    long end = System.nanoTime() + GATHERING.toNanos();
    while (true) {
      try {
        return management.addStream(configuration(connection, settings));
      } catch (JetStreamApiException e) {
        if (e.getApiErrorCode() == NAME_IN_USE) { // another process created it meanwhile
          return management.getStreamInfo(settings.name());
        }
        if (e.getApiErrorCode() != NO_SUITABLE_PEERS || System.nanoTime() - end > 0) {
          throw e;
        }
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
    }
  }

  private static StreamConfiguration configuration(
      Connection connection, StreamsSettings settings) {
    return StreamConfiguration.builder()
        .name(settings.name())
        .subjects(settings.prefix() + ".>")
        .retentionPolicy(RetentionPolicy.Limits)
        .storageType(StorageType.File)
        .replicas(replicas(connection, settings))
        // A full stream refuses messages. The other policy would drop the oldest.
        .discardPolicy(DiscardPolicy.New)
        .build();
  }

  static int replicas(Connection connection, StreamsSettings settings) {
    boolean cluster = connection.getServerInfo().getCluster() != null;
    return settings.replicas().orElse(cluster ? REPLICAS : 1);
  }

  private static List<String> differences(StreamsSettings settings, StreamConfiguration there) {
    List<String> found = new ArrayList<>();
    String subjects = settings.prefix() + ".>";
    check(found, there.getSubjects().equals(List.of(subjects)), "its subjects are not " + subjects);
    check(found, there.getRetentionPolicy() == RetentionPolicy.Limits, "it drops what was read");
    check(found, there.getStorageType() == StorageType.File, "it is in memory");
    check(found, there.getDiscardPolicy() == DiscardPolicy.New, "it drops the oldest when full");
    check(found, StreamCheck.orZero(there.getMaxAge()).isZero(), "it drops what is old");
    check(found, there.getMaxMsgsPerSubject() <= 0, "it keeps few messages of a subject");
    check(found, !there.getNoAck() && !there.getSealed(), "it takes nothing, or says nothing");
    settings
        .replicas()
        .ifPresent(
            asked ->
                check(
                    found,
                    there.getReplicas() == asked,
                    "it has %d replicas, not %d".formatted(there.getReplicas(), asked)));
    return found;
  }

  private static void check(List<String> found, boolean fine, String otherwise) {
    if (!fine) {
      found.add(otherwise);
    }
  }
}
