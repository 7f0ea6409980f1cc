package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Parsing the URL of shared streams. */
final class StreamsSettingsTest {
  @Test
  void oneServerIsEnough() {
    StreamsSettings settings = StreamsSettings.parse("nats://127.0.0.1:4222");
    assertThat(settings.name()).isEqualTo(StreamsSettings.DEFAULT_NAME);
    assertThat(settings.replicas()).isEmpty();
    assertThat(settings.shown()).isEqualTo("nats://127.0.0.1:4222");
  }

  @Test
  void serversParametersAndAPasswordThatIsNotShown() {
    StreamsSettings settings =
        StreamsSettings.parse("tls://me:hunter2@a:1,b:2,tls://c:3?replicas=3&stream=OTHER");
    assertThat(settings.replicas()).isEqualTo(OptionalInt.of(3));
    assertThat(settings.name()).isEqualTo("OTHER");
    assertThat(settings.shown()).isEqualTo("tls://a:1, tls://b:2, tls://c:3");
    assertThat(settings.toString()).doesNotContain("hunter2");
    assertThat(settings.connection().access()).isEqualTo(NatsAccess.user("me", "hunter2"));
  }

  @Test
  void whatIsNotUnderstoodIsSaidWithoutThePassword() {
    for (String wrong :
        new String[] {
          "nats:host",
          "nats://me:hunter2@a:1?replica=3",
          "nats://me:hunter2@a:1?replicas=many",
          "nats://me:hunter2@a:1?replicas=9",
          "nats://me:hunter2@a:1?stream=a.b",
          "nats://me:hunter2@a:1?"
        }) {
      assertThatThrownBy(() -> StreamsSettings.parse(wrong))
          .isInstanceOf(InvalidInput.class)
          .hasMessageNotContaining("hunter2");
    }
  }
}
