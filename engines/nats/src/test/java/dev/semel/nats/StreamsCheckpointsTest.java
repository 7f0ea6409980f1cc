package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.stream.spi.SharedLog.Checkpoint;
import dev.semel.testservices.NatsService;
import io.nats.client.api.StreamInfoOptions;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checkpoints of streams in JetStream. */
@Tag("service")
final class StreamsCheckpointsTest {
  private static final int PART = 1_000;

  private NatsService nats;
  private NatsLink link;
  private StreamsSettings settings;

  @BeforeEach
  void start() {
    nats = NatsService.start();
    settings = StreamsSettings.parse(nats.url());
    link = NatsLink.open(settings.connection());
  }

  @AfterEach
  void end() {
    link.close();
    nats.close();
  }

  private static Checkpoint checkpoint(long sequence, int bytes) {
    byte[] state = new byte[bytes];
    Arrays.fill(state, (byte) sequence);
    return new Checkpoint(sequence, state);
  }

  private long parts() throws Exception {
    return link.require()
        .jetStreamManagement()
        .getStreamInfo(
            "SEMEL_STREAMS_CHECKPOINTS",
            StreamInfoOptions.filterSubjects("semel.checkpoints.SEMEL_STREAMS.part.>"))
        .getStreamState()
        .getSubjects()
        .size();
  }

  @Test
  void theNewestIsReadAsItWasLeftAndOlderOnesGo() throws Exception {
    StreamsCheckpoints checkpoints = new StreamsCheckpoints(link, settings, PART);
    assertThat(checkpoints.newest()).isEmpty();
    checkpoints.leave(checkpoint(7, 5 * PART));
    checkpoints.leave(checkpoint(9, 3 * PART + 1));
    assertThat(checkpoints.newest()).contains(checkpoint(9, 3 * PART + 1));
    assertThat(parts()).isEqualTo(4);
  }

  @Test
  void oneThatIsNotWholeIsNone() throws Exception {
    StreamsCheckpoints checkpoints = new StreamsCheckpoints(link, settings, PART);
    checkpoints.leave(checkpoint(7, 2 * PART));
    String part =
        link
            .require()
            .jetStreamManagement()
            .getStreamInfo("SEMEL_STREAMS_CHECKPOINTS", StreamInfoOptions.allSubjects())
            .getStreamState()
            .getSubjects()
            .stream()
            .map(subject -> subject.getName())
            .filter(name -> name.endsWith(".1"))
            .findFirst()
            .orElseThrow();
    link.require().jetStream().publish(part, new byte[PART]); // in place of the second one
    assertThat(checkpoints.newest()).isEmpty();
  }
}
