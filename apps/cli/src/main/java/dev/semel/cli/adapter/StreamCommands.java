package dev.semel.cli.adapter;

import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.NewStream;
import dev.semel.stream.client.StreamInfo;
import dev.semel.stream.client.StreamRefused;
import dev.semel.stream.spi.StreamExpiry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Commands on a stream as a whole. */
final class StreamCommands {
  private StreamCommands() {}

  static JsonObjectBuilder create(AdapterSession session, CommandFields command) {
    ContentType type =
        command.find("contentType").map(ContentType::parse).orElse(ContentType.BYTES);
    StreamExpiry expiry =
        StreamExpiry.parse(
            command.number("ttlSeconds").map(seconds -> Long.toString(seconds)),
            command.find("expiresAt"));
    NewStream wanted =
        NewStream.of(type)
            .withExpiry(expiry)
            .withBody(command.find("data").orElse("").getBytes(StandardCharsets.UTF_8));
    DurableStream stream = session.call(command).stream();
    boolean there = exists(stream);
    StreamInfo info = stream.create(command.isTrue("closed") ? wanted.bornClosed() : wanted);
    session.learn(command.text("path"), type);
    return AdapterCommands.success("create")
        .with("status", there ? 200 : 201)
        .with("offset", info.tail());
  }

  /** Asked before, because the answer to a creation does not say whether the stream existed. */
  private static boolean exists(DurableStream stream) {
    try {
      stream.info();
      return true;
    } catch (StreamRefused e) {
      if (e.reason() == StreamRefused.Reason.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  static JsonObjectBuilder connect(AdapterSession session, CommandFields command) {
    StreamInfo info = info(session, command);
    return AdapterCommands.success("connect").with("status", 200).with("offset", info.tail());
  }

  static JsonObjectBuilder head(AdapterSession session, CommandFields command) {
    StreamInfo info = info(session, command);
    JsonObjectBuilder answer =
        AdapterCommands.success("head")
            .with("status", 200)
            .with("offset", info.tail())
            .with("contentType", info.type().text())
            .with("streamClosed", info.closed());
    return switch (info.expiry()) {
      case StreamExpiry.Never n -> answer;
      case StreamExpiry.Idle i -> answer.with("ttlSeconds", i.seconds());
      case StreamExpiry.At a ->
          answer.with("expiresAt", Instant.ofEpochMilli(a.epochMillis()).toString());
    };
  }

  private static StreamInfo info(AdapterSession session, CommandFields command) {
    StreamInfo info = session.call(command).stream().info();
    session.learn(command.text("path"), info.type());
    return info;
  }

  static JsonObjectBuilder delete(AdapterSession session, CommandFields command) {
    session.call(command).stream().delete();
    session.forget(command.text("path"));
    return AdapterCommands.success("delete").with("status", 200);
  }

  static JsonObjectBuilder close(AdapterSession session, CommandFields command) {
    DurableStream stream = session.call(command).stream();
    Optional<ContentType> type = command.find("contentType").map(ContentType::parse);
    DurableStream typed = type.map(stream::as).orElse(stream);
    String tail =
        command
            .find("data")
            .filter(data -> !data.isEmpty())
            .map(data -> typed.closeStream(data.getBytes(StandardCharsets.UTF_8)))
            .orElseGet(typed::closeStream);
    return AdapterCommands.success("close").with("status", 200).with("finalOffset", tail);
  }
}
