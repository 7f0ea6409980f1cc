package dev.semel.rabbitmq;

import com.rabbitmq.stream.MessageBuilder;
import com.rabbitmq.stream.Properties;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts messages to AMQP 1.0, the format of streams, and back. */
final class StreamWire {
  private StreamWire() {}

  static com.rabbitmq.stream.Message write(
      MessageBuilder builder, Message message, long publishingId) {
    builder.publishingId(publishingId).addData(message.payload());
    builder.properties().messageId(message.id());
    if (!message.type().isEmpty()) {
      builder.properties().subject(message.type());
    }
    MessageBuilder.ApplicationPropertiesBuilder headers = builder.applicationProperties();
    message
        .headers()
        .forEach(
            (name, value) ->
                headers.entry(
                    AmqpMessages.isReserved(name) ? AmqpMessages.PREFIX + name : name, value));
    if (message.ordered()) {
      headers.entry(AmqpMessages.ORDERING_KEY, message.orderingKey());
    }
    return builder.build();
  }

  /**
   * Converts any stream message.
   *
   * @param otherId the id for a message without one
   */
  static Message read(String destination, com.rabbitmq.stream.Message from, String otherId) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (from.getApplicationProperties() != null) {
      from.getApplicationProperties()
          .forEach((name, value) -> headers.put(name, String.valueOf(value)));
    }
    Properties properties = from.getProperties();
    Object id = properties == null ? null : properties.getMessageId();
    return AmqpMessages.message(
        destination,
        id == null ? otherId : id.toString(),
        properties == null ? null : properties.getSubject(),
        headers,
        body(from));
  }

  /** The payload; an AMQP value from another program becomes its text. */
  private static byte[] body(com.rabbitmq.stream.Message from) {
    try {
      byte[] bytes = from.getBodyAsBinary();
      return bytes == null ? new byte[0] : bytes;
    } catch (IllegalStateException e) {
      return String.valueOf(from.getBody()).getBytes(StandardCharsets.UTF_8);
    }
  }
}
