package dev.semel.server.stream;

import dev.semel.InvalidInput;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.RequestTarget;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.HeaderDigits;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamSeq;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Parses headers into requests for engines; errors are {@link InvalidInput}. For one event loop.
 */
final class StreamRequests {
  /** The last type that was sent, because the next one is nearly always the same. */
  private ContentType lastType = ContentType.JSON;

  /** An append without its body, so that a wrong request is refused before its body is read. */
  record AppendHead(
      @Nullable ContentType type,
      boolean close,
      AppendSender sender,
      @Nullable String seq,
      @Nullable Offset ifMatch) {

    AppendRequest with(byte[] raw) {
      ContentType body = type == null ? ContentType.BYTES : type;
      return new AppendRequest(
          Optional.ofNullable(type),
          AppendBody.of(body, raw),
          close,
          sender,
          Optional.ofNullable(seq).map(StreamSeq::new),
          Optional.ofNullable(ifMatch));
    }
  }

  AppendHead append(MultiMap headers) {
    return new AppendHead(
        type(headers),
        HeaderFields.isTrue(headers, HeaderNames.STREAM_CLOSED),
        sender(headers),
        HeaderFields.find(headers, HeaderNames.STREAM_SEQ),
        ifMatch(HeaderFields.find(headers, HeaderNames.IF_MATCH)));
  }

  private @Nullable ContentType type(MultiMap headers) {
    String text = HeaderFields.find(headers, HeaderNames.CONTENT_TYPE);
    if (text == null) {
      return null;
    }
    ContentType last = lastType;
    if (text.equals(last.text())) {
      return last;
    }
    ContentType type = ContentType.parse(text);
    lastType = type;
    return type;
  }

  private static AppendSender sender(MultiMap headers) {
    Optional<ProducerTuple> declared =
        ProducerTuple.parse(
            HeaderFields.get(headers, HeaderNames.PRODUCER_ID),
            HeaderFields.get(headers, HeaderNames.PRODUCER_EPOCH),
            HeaderFields.get(headers, HeaderNames.PRODUCER_SEQ));
    Optional<AppendSender> managed = managed(headers);
    if (declared.isPresent() && managed.isPresent()) {
      throw new InvalidInput(
          "Producer-Id and X-Producer-Id are two ways to say one thing: send one of them");
    }
    return declared
        .<AppendSender>map(AppendSender.Declared::new)
        .or(() -> managed)
        .orElseGet(AppendSender::anonymous);
  }

  private static Optional<AppendSender> managed(MultiMap headers) {
    String id = HeaderFields.find(headers, HeaderNames.X_PRODUCER_ID);
    String seq = HeaderFields.find(headers, HeaderNames.X_PRODUCER_SEQ);
    String epoch = HeaderFields.find(headers, HeaderNames.X_PRODUCER_EPOCH);
    if (id == null && seq == null && epoch == null) {
      return Optional.empty();
    }
    if (id == null || seq == null) {
      throw new InvalidInput(
          "a producer names X-Producer-Id and X-Producer-Seq together: send both");
    }
    OptionalLong named =
        epoch == null
            ? OptionalLong.empty()
            : OptionalLong.of(HeaderDigits.parse("X-Producer-Epoch", epoch));
    return Optional.of(
        new AppendSender.Managed(id, named, HeaderDigits.parse("X-Producer-Seq", seq)));
  }

  private static @Nullable Offset ifMatch(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int end = text.length() - 1;
    if (end < 2 || text.charAt(0) != '"' || text.charAt(end) != '"') {
      throw new InvalidInput(
          "If-Match takes one tail offset in quotation marks, as this server gave it");
    }
    return Offset.parse(text.substring(1, end));
  }

  CreateRequest create(StreamPath path, MultiMap headers) {
    Optional<StreamPath> source = forkedFrom(headers);
    return new CreateRequest(
        path,
        Optional.ofNullable(type(headers)),
        StreamExpiry.parse(
            HeaderFields.get(headers, HeaderNames.STREAM_TTL),
            HeaderFields.get(headers, HeaderNames.STREAM_EXPIRES_AT)),
        HeaderFields.isTrue(headers, HeaderNames.STREAM_CLOSED),
        AppendBody.EMPTY,
        StreamFork.parse(
            source,
            HeaderFields.get(headers, HeaderNames.STREAM_FORK_OFFSET),
            HeaderFields.get(headers, HeaderNames.STREAM_FORK_SUB_OFFSET)));
  }

  /** A request names the source by its address on this server. */
  static Optional<StreamPath> forkedFrom(MultiMap headers) {
    return HeaderFields.get(headers, HeaderNames.STREAM_FORKED_FROM).map(StreamRequests::source);
  }

  private static StreamPath source(String text) {
    if (text.startsWith(StreamRoutes.ROOT) || text.contains("://")) {
      RequestTarget target = RequestTarget.parse(text);
      if (target.path().startsWith(StreamRoutes.ROOT)) {
        return StreamRoutes.path(target);
      }
    }
    throw new InvalidInput(
        "Stream-Forked-From must name a stream of this server, such as %sorders"
            .formatted(StreamRoutes.ROOT));
  }
}
