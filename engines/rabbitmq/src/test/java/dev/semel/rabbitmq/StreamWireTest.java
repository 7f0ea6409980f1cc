package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.Properties;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StreamWireTest {
  /** A message of another program, whose body is a value instead of bytes. */
  private record OfOthers(Object body) implements com.rabbitmq.stream.Message {
    @Override
    public boolean hasPublishingId() {
      return false;
    }

    @Override
    public long getPublishingId() {
      return 0;
    }

    @Override
    public byte[] getBodyAsBinary() {
      throw new IllegalStateException("Body cannot be returned as array of bytes.");
    }

    @Override
    public Object getBody() {
      return body;
    }

    @Override
    public @Nullable Properties getProperties() {
      return null;
    }

    @Override
    public @Nullable Map<String, Object> getApplicationProperties() {
      return null;
    }

    @Override
    public @Nullable Map<String, Object> getMessageAnnotations() {
      return null;
    }
  }

  @Test
  void aValueThatSomeoneElseSentIsTakenAsItsText() {
    Message read = StreamWire.read("orders", new OfOthers(17), "orders.0:3");
    assertThat(read.payload()).isEqualTo("17".getBytes(StandardCharsets.UTF_8));
    assertThat(read.id()).isEqualTo("orders.0:3");
  }
}
