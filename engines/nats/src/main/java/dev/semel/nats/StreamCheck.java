package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.transport.NoSuchDestination;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.ServerInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates the stream if it is missing, and compares an existing one with the settings, because an
 * older server silently ignores what it does not know.
 */
final class StreamCheck {
  static final String OLDEST_SERVER = "2.10.0";
  static final String PARTITIONS = "semel-lanes";
  static final long UNLIMITED = -1;
  private static final int NAME_IN_USE = 10058;

  private StreamCheck() {}

  static StreamConfiguration ensure(Connection connection, JetStreamSettings settings) {
    return ensure(connection, settings, UNLIMITED);
  }

  /** As {@link #ensure}, for a stream with this many messages per subject. */
  static StreamConfiguration ensure(
      Connection connection, JetStreamSettings settings, long perSubject) {
    StreamSettings wanted = settings.stream();
    requireServer(connection.getServerInfo());
    try {
      JetStreamManagement management = connection.jetStreamManagement();
      StreamConfiguration there = find(management, settings, perSubject);
      List<String> differences = differences(wanted, there);
      if (perSubject != UNLIMITED) {
        differ(differences, "max messages per subject", there.getMaxMsgsPerSubject(), perSubject);
      }
      if (!differences.isEmpty()) {
        throw new StoreException(
            "the stream %s is not as asked for, and is left as it is: %s. Change one or the other"
                .formatted(wanted.name(), String.join("; ", differences)));
      }
      return there;
    } catch (IOException e) {
      throw new StoreException("JetStream did not answer: is it enabled on the server?", e);
    } catch (JetStreamApiException e) {
      throw new StoreException(
          "the stream %s can't be used. NATS said: %s"
              .formatted(wanted.name(), e.getErrorDescription()),
          e);
    }
  }

  /** Finds the stream that accepts messages for the destination, whatever its settings. */
  static StreamConfiguration existing(Connection connection, String destination) {
    requireServer(connection.getServerInfo());
    try {
      JetStreamManagement management = connection.jetStreamManagement();
      List<String> names = management.getStreamNames(destination + "." + MessageSubjects.ANY);
      if (names.isEmpty()) {
        throw new NoSuchDestination(
            "no stream takes messages for the destination %s: create one, or name another"
                .formatted(PrintableText.quoted(destination)));
      }
      return management.getStreamInfo(names.getFirst()).getConfiguration();
    } catch (IOException e) {
      throw new StoreException("JetStream did not answer: is it enabled on the server?", e);
    } catch (JetStreamApiException e) {
      throw new StoreException(
          "the stream of %s can't be looked at. NATS said: %s"
              .formatted(PrintableText.quoted(destination), e.getErrorDescription()),
          e);
    }
  }

  /** Finds a stream by name, whatever its settings. */
  static StreamConfiguration named(Connection connection, String name) {
    requireServer(connection.getServerInfo());
    try {
      return connection.jetStreamManagement().getStreamInfo(name).getConfiguration();
    } catch (IOException e) {
      throw new StoreException("JetStream did not answer: is it enabled on the server?", e);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NatsErrors.STREAM_NOT_FOUND) {
        throw new InvalidInput("there is no stream %s: name another".formatted(name));
      }
      throw new StoreException(
          "the stream %s can't be looked at. NATS said: %s"
              .formatted(name, e.getErrorDescription()),
          e);
    }
  }

  /** The settings that would create a stream like this. */
  static StreamSettings settings(StreamConfiguration there) {
    Map<String, String> metadata = there.getMetadata();
    String partitions = metadata == null ? null : metadata.get(PARTITIONS);
    if (partitions == null || !partitions.matches("[0-9]{1,2}")) {
      throw new StoreException(
          "the stream %s was not made for ordered partitions (it has no %s in its metadata): let JetStreamTransport create it"
              .formatted(there.getName(), PARTITIONS));
    }
    return new StreamSettings(
        there.getName(),
        there.getSubjects().stream().filter(subject -> !subject.endsWith(".*")).toList(),
        Integer.parseInt(partitions),
        orZero(there.getDuplicateWindow()),
        there.getReplicas(),
        there.getStorageType() == StorageType.Memory
            ? StreamSettings.Storage.MEMORY
            : StreamSettings.Storage.FILE,
        there.getRetentionPolicy() == RetentionPolicy.WorkQueue
            ? StreamSettings.Retention.WORK_QUEUE
            : StreamSettings.Retention.LIMITS,
        orZero(there.getMaxAge()),
        Math.max(0, there.getMaxBytes()));
  }

  static void requireServer(ServerInfo server) {
    if (server.isOlderThanVersion(OLDEST_SERVER)) {
      throw new StoreException(
          "this NATS server is %s, which is unsafe to compare and set on and lacks what is needed here: use %s or newer"
              .formatted(server.getVersion(), OLDEST_SERVER));
    }
    if (!server.isJetStreamAvailable()) {
      throw new StoreException("this NATS server has no JetStream: enable it in its settings");
    }
  }

  private static StreamConfiguration find(
      JetStreamManagement management, JetStreamSettings settings, long perSubject)
      throws IOException, JetStreamApiException {
    String name = settings.stream().name();
    try {
      return management.getStreamInfo(name).getConfiguration();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NatsErrors.STREAM_NOT_FOUND) {
        throw e;
      }
      if (!settings.create()) {
        throw new StoreException("there is no stream " + name + ": create it, or let us");
      }
    }
    try {
      return management.addStream(configuration(settings.stream(), perSubject)).getConfiguration();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NAME_IN_USE) { // another process created it meanwhile
        return management.getStreamInfo(name).getConfiguration();
      }
      throw e;
    }
  }

  private static StreamConfiguration configuration(StreamSettings wanted, long perSubject) {
    return StreamConfiguration.builder()
        .name(wanted.name())
        .subjects(MessageSubjects.ofStream(wanted.destinations()))
        .retentionPolicy(retention(wanted))
        .storageType(storage(wanted))
        .replicas(wanted.replicas())
        .duplicateWindow(wanted.duplicateWindow())
        .maxAge(wanted.maxAge())
        .maxBytes(unlimitedIfZero(wanted.maxBytes()))
        .maxMessagesPerSubject(perSubject)
        // A full stream refuses messages. The other policy would drop the oldest, delivered or not.
        .discardPolicy(DiscardPolicy.New)
        .metadata(Map.of(PARTITIONS, Integer.toString(wanted.partitions())))
        .build();
  }

  private static RetentionPolicy retention(StreamSettings wanted) {
    return switch (wanted.retention()) {
      case LIMITS -> RetentionPolicy.Limits;
      case WORK_QUEUE -> RetentionPolicy.WorkQueue;
    };
  }

  private static StorageType storage(StreamSettings wanted) {
    return switch (wanted.storage()) {
      case FILE -> StorageType.File;
      case MEMORY -> StorageType.Memory;
    };
  }

  private static long unlimitedIfZero(long limit) {
    return limit == 0 ? -1 : limit;
  }

  static List<String> differences(StreamSettings wanted, StreamConfiguration there) {
    List<String> found = new ArrayList<>();
    List<String> subjects = MessageSubjects.ofStream(wanted.destinations());
    if (!new HashSet<>(there.getSubjects()).containsAll(subjects)) {
      found.add("subjects are " + there.getSubjects() + " and should hold " + subjects);
    }
    differ(found, "retention", there.getRetentionPolicy(), retention(wanted));
    differ(found, "storage", there.getStorageType(), storage(wanted));
    differ(found, "replicas", there.getReplicas(), wanted.replicas());
    differ(found, "duplicate window", there.getDuplicateWindow(), wanted.duplicateWindow());
    differ(found, "max age", orZero(there.getMaxAge()), wanted.maxAge());
    differ(found, "max bytes", there.getMaxBytes(), unlimitedIfZero(wanted.maxBytes()));
    differ(found, "discard policy", there.getDiscardPolicy(), DiscardPolicy.New);
    differ(found, "acknowledgements switched off", there.getNoAck(), false);
    differ(found, "sealed", there.getSealed(), false);
    Map<String, String> metadata = there.getMetadata();
    String partitions = metadata == null ? null : metadata.get(PARTITIONS);
    differ(
        found,
        "partitions",
        Objects.requireNonNullElse(partitions, "not said"),
        "" + wanted.partitions());
    return found;
  }

  static Duration orZero(@Nullable Duration duration) {
    return duration == null ? Duration.ZERO : duration;
  }

  private static void differ(
      List<String> found, String what, @Nullable Object there, Object wanted) {
    if (!wanted.equals(there)) {
      found.add("%s is %s and should be %s".formatted(what, there, wanted));
    }
  }

  /** Deletes the stream; a missing one is no error. */
  static void remove(Connection connection, String name) {
    try {
      boolean unused = connection.jetStreamManagement().deleteStream(name);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NatsErrors.STREAM_NOT_FOUND) {
        throw new StoreException("the stream was not deleted, and NATS said: " + e.getMessage(), e);
      }
    } catch (IOException e) {
      throw new StoreException("the stream may be there still: try again to delete it", e);
    }
  }
}
