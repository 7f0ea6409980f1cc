package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.stream.spi.SharedLog.Checkpoint;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.PublishOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfoOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checkpoints in a separate JetStream stream: parts that fit into messages, and one message that
 * names the newest, written last and only if no other server wrote it meanwhile. So a checkpoint is
 * complete or absent, and the next one deletes the remains of a crash.
 */
final class StreamsCheckpoints {
  private static final Pattern NAMED =
      Pattern.compile("1 (\\d{1,18}) ([0-9a-f-]{36}) (\\d{1,9}) ([0-9a-f]{64})");

  private final NatsLink link;
  private final StreamsSettings settings;
  private final int maxBytes;

  StreamsCheckpoints(NatsLink link, StreamsSettings settings, int maxBytes) {
    this.link = link;
    this.settings = settings;
    this.maxBytes = maxBytes;
  }

  private static boolean missing(JetStreamApiException e) {
    return e.getApiErrorCode() == NatsErrors.STREAM_NOT_FOUND
        || NatsErrors.NO_SUCH_MESSAGE.contains(e.getApiErrorCode());
  }

  private String stream() {
    return stream(settings);
  }

  static String stream(StreamsSettings settings) {
    return settings.name() + "_CHECKPOINTS";
  }

  private String prefix() {
    return "semel.checkpoints." + settings.name();
  }

  private String newestSubject() {
    return prefix() + ".newest";
  }

  private String partsOf(String id) {
    return prefix() + ".part." + id;
  }

  Optional<Checkpoint> newest() {
    try {
      JetStreamManagement management = link.require().jetStreamManagement();
      MessageInfo named = management.getLastMessage(stream(), newestSubject());
      Matcher name = NAMED.matcher(new String(named.getData(), StandardCharsets.US_ASCII));
      return name.matches() ? read(management, name) : Optional.empty();
    } catch (JetStreamApiException e) {
      if (missing(e)) {
        return Optional.empty();
      }
      throw refused(e);
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private Optional<Checkpoint> read(JetStreamManagement management, Matcher name)
      throws IOException, JetStreamApiException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int parts = Integer.parseInt(name.group(3));
    for (int i = 0; i < parts; i++) {
      all.writeBytes(
          management.getLastMessage(stream(), partsOf(name.group(2)) + "." + i).getData());
    }
    byte[] state = all.toByteArray();
    return Ids.sha256Hex(state).equals(name.group(4))
        ? Optional.of(new Checkpoint(Long.parseLong(name.group(1)), state))
        : Optional.empty();
  }

  void leave(Checkpoint checkpoint) {
    try {
      Connection connection = link.require();
      JetStreamManagement management = connection.jetStreamManagement();
      ensure(connection, management);
      long expected = lastNamed(management);
      String id = Ids.uuid7().toString();
      int parts = 0;
      for (int from = 0; from < checkpoint.state().length; from += maxBytes) {
        int to = Math.min(checkpoint.state().length, from + maxBytes);
        byte[] part = Arrays.copyOfRange(checkpoint.state(), from, to);
        connection.jetStream().publish(partsOf(id) + "." + parts, part);
        parts++;
      }
      String name =
          String.join(
              " ",
              "1",
              Long.toString(checkpoint.sequence()),
              id,
              Integer.toString(parts),
              Ids.sha256Hex(checkpoint.state()));
      connection
          .jetStream()
          .publish(
              newestSubject(),
              name.getBytes(StandardCharsets.US_ASCII),
              PublishOptions.builder().expectedLastSubjectSequence(expected).build());
      forgetOthers(management, id);
    } catch (JetStreamApiException e) {
      if (!NatsErrors.WRONG_LAST_SEQUENCE.contains(
          e.getApiErrorCode())) { // otherwise another server was first
        throw refused(e);
      }
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private void ensure(Connection connection, JetStreamManagement management)
      throws IOException, JetStreamApiException {
    try {
      management.getStreamInfo(stream());
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NatsErrors.STREAM_NOT_FOUND) {
        throw e;
      }
      management.addStream(
          StreamConfiguration.builder()
              .name(stream())
              .subjects(prefix() + ".>")
              .storageType(StorageType.File)
              .replicas(StreamsStream.replicas(connection, settings))
              .maxMessagesPerSubject(1)
              .discardPolicy(DiscardPolicy.Old)
              .build());
    }
  }

  private long lastNamed(JetStreamManagement management) throws IOException, JetStreamApiException {
    try {
      return management.getLastMessage(stream(), newestSubject()).getSeq();
    } catch (JetStreamApiException e) {
      if (missing(e)) {
        return 0;
      }
      throw e;
    }
  }

  private void forgetOthers(JetStreamManagement management, String id)
      throws IOException, JetStreamApiException {
    var there =
        management.getStreamInfo(stream(), StreamInfoOptions.filterSubjects(prefix() + ".part.>"));
    for (var subject : there.getStreamState().getSubjects()) {
      if (!subject.getName().startsWith(partsOf(id) + ".")) {
        management.purgeStream(stream(), PurgeOptions.subject(subject.getName()));
      }
    }
  }

  private static StoreException unreachable(IOException e) {
    return new StoreException("the checkpoints of streams can't be reached: try again", e);
  }

  private static StoreException refused(JetStreamApiException e) {
    return new StoreException(
        "the checkpoints of streams can't be used. NATS said: %s"
            .formatted(e.getErrorDescription()),
        e);
  }
}
