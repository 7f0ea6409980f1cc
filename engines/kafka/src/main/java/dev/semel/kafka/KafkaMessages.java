package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to Kafka's form and back: the destination is the topic, the ordering key the
 * record's key, the rest is in headers, whose values are bytes. A record without our headers came
 * from another program, and is read as it is.
 */
final class KafkaMessages {
  static final String ID = "semel-id";
  static final String TYPE = "semel-type";

  /** Prefixes header names that would mean something to us. */
  static final String PREFIX = "semel-header-";

  private KafkaMessages() {}

  static ProducerRecord<byte[], byte[]> record(Message message) {
    byte[] key = message.ordered() ? bytes(message.orderingKey()) : null;
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(message.destination(), key, message.payload());
    Headers headers = record.headers();
    headers.add(ID, bytes(message.id()));
    if (!message.type().isEmpty()) {
      headers.add(TYPE, bytes(message.type()));
    }
    message
        .headers()
        .forEach((name, value) -> headers.add(reserved(name) ? PREFIX + name : name, bytes(value)));
    return record;
  }

  private static boolean reserved(String name) {
    return name.equals(ID) || name.equals(TYPE) || name.startsWith(PREFIX);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The name for a partition's position; a topic's name contains no slash. */
  static String topicPartition(TopicPartition partition) {
    return partition.topic() + "/" + partition.partition();
  }

  static TopicPartition partition(String topicPartition) {
    int slash = topicPartition.lastIndexOf('/');
    return new TopicPartition(
        topicPartition.substring(0, slash), Integer.parseInt(topicPartition.substring(slash + 1)));
  }

  static String place(String topic, int partition, long offset) {
    return topic + "/" + partition + "@" + offset;
  }

  /** Converts any record, because one that failed would block its partition for ever. */
  static Message message(ConsumerRecord<byte[], byte[]> record) {
    byte[] payload = record.value() == null ? new byte[0] : record.value();
    String otherId = place(record.topic(), record.partition(), record.offset());
    Message message =
        new Message(otherId, record.topic(), key(record.key()), "", payload, Map.of());
    for (Header header : record.headers()) {
      if (header.value() != null) {
        message = with(message, header.key(), new String(header.value(), StandardCharsets.UTF_8));
      }
    }
    return message;
  }

  private static Message with(Message message, String name, String value) {
    try {
      return switch (name) {
        case ID -> message.withId(value);
        case TYPE -> message.withType(value);
        default ->
            message.withHeader(
                name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name, value);
      };
    } catch (InvalidInput e) {
      return message; // left out: another program's value may not fit
    }
  }

  /** Accepts any bytes as a key, so that other programs' keys keep their order too. */
  private static String key(byte @Nullable [] key) {
    if (key == null || key.length == 0) {
      return "";
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      return Message.of("any", "").withOrderingKey(text).orderingKey();
    } catch (CharacterCodingException | InvalidInput e) {
      String hex = HexFormat.of().formatHex(key);
      return "hex:" + hex.substring(0, Math.min(hex.length(), 200)) + "#" + hex.hashCode();
    }
  }
}
