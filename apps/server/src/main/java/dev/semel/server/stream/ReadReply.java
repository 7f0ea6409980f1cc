package dev.semel.server.stream;

import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.ProblemDocument;
import dev.semel.stream.ContentType;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.FilePart;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Turns data into a response, with headers for caches. */
final class ReadReply {
  private final CharSequence keep;
  private final CharSequence ask;
  private final LongAdder bytesOut;
  private final MemoryBudget budget;

  /**
   * @param bytesOut counts the bytes that are sent
   */
  ReadReply(boolean shared, LongAdder bytesOut, MemoryBudget budget) {
    this.budget = budget;
    this.bytesOut = bytesOut;
    String who = shared ? "public" : "private";
    this.keep = HeaderNames.name(who + ", max-age=60, stale-while-revalidate=300");
    // Data up to an open stream's tail is outdated by the next append.
    this.ask = HeaderNames.name(who + ", no-cache");
  }

  /** Answers a catch-up read. Caches never keep a read of {@code now}. */
  void send(HttpServerRequest request, EncodedData reading, boolean now) {
    HttpServerResponse response = request.response();
    headers(response, reading);
    if (now) {
      response.putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
      end(request, reading);
      return;
    }
    if (known(request, reading)) {
      response.setStatusCode(304).end();
    } else {
      end(request, reading);
    }
  }

  private void end(HttpServerRequest request, EncodedData reading) {
    PacedResponse.send(budget, request, sent(reading.body()));
  }

  /** Counts the data, and returns it. */
  Buffer sent(Buffer data) {
    bytesOut.add(data.length());
    return data;
  }

  /** Sends data that the system copies from its file. */
  void send(HttpServerRequest request, StreamResult.InFile data) {
    HttpServerResponse response = request.response();
    EncodedData reading = EncodedData.of(data.slice());
    FilePart part = data.part();
    headers(response, reading);
    if (known(request, reading)) {
      part.close();
      response.setStatusCode(304).end();
    } else {
      bytesOut.add(part.length());
      FileBody.send(budget, request, part, reading.slice().head().config().type().json());
    }
  }

  /** Sets the entity tag for caches, and returns whether the reader has the data already. */
  private boolean known(HttpServerRequest request, EncodedData reading) {
    String etag = etag(reading);
    request
        .response()
        .putHeader(HeaderNames.ETAG, etag)
        .putHeader(HeaderNames.CACHE_CONTROL, reading.upToDate() && !reading.closed() ? ask : keep);
    return matches(request.headers().get(HeaderNames.IF_NONE_MATCH), etag);
  }

  /**
   * Answers a reader that waited. Its cursor makes the address new, so caches may keep the answer.
   */
  void sendLive(HttpServerRequest request, EncodedData reading, long cursor) {
    HttpServerResponse response = request.response();
    headers(response, reading);
    response
        .putHeader(HeaderNames.STREAM_CURSOR, Long.toString(cursor))
        .putHeader(HeaderNames.ETAG, etag(reading))
        .putHeader(HeaderNames.CACHE_CONTROL, keep);
    end(request, reading);
  }

  /** Answers that no data came, or that none will come. */
  static void sendNothing(HttpServerRequest request, EncodedData reading, long cursor) {
    HttpServerResponse response = request.response();
    response
        .setStatusCode(204)
        .putHeader(HeaderNames.STREAM_NEXT_OFFSET, reading.next().text())
        .putHeader(HeaderNames.STREAM_UP_TO_DATE, HeaderNames.TRUE)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
    if (reading.closed()) {
      response.putHeader(HeaderNames.STREAM_CLOSED, HeaderNames.TRUE);
    } else {
      response.putHeader(HeaderNames.STREAM_CURSOR, Long.toString(cursor));
    }
    response.end();
  }

  private static void headers(HttpServerResponse response, EncodedData reading) {
    ContentType type = reading.slice().head().config().type();
    BrowserRules.disposition(response, type);
    response
        .putHeader(HeaderNames.CONTENT_TYPE, type.text())
        .putHeader(HeaderNames.STREAM_NEXT_OFFSET, reading.next().text());
    if (reading.upToDate()) {
      response.putHeader(HeaderNames.STREAM_UP_TO_DATE, HeaderNames.TRUE);
    }
    if (reading.closed()) {
      response.putHeader(HeaderNames.STREAM_CLOSED, HeaderNames.TRUE);
    }
  }

  /**
   * Differs with the bytes, with the stream, and with whether the stream ended or went on there.
   */
  private static String etag(EncodedData reading) {
    DataSlice slice = reading.slice();
    String end = reading.closed() ? ":c\"" : reading.upToDate() ? ":u\"" : "\"";
    return "\""
        + slice.head().incarnation()
        + ':'
        + slice.from().position()
        + ':'
        + reading.next().position()
        + end;
  }

  /** Ignores whether tags are weak, because equal tags mean equal bytes here. */
  private static boolean matches(@Nullable String header, String etag) {
    if (header == null) {
      return false;
    }
    return header.strip().equals("*") || header.contains(etag);
  }

  static ProblemDocument refused(StreamResult.ToRead answer) {
    return switch (answer) {
      case StreamResult.Missing m -> StreamReplies.MISSING;
      case StreamResult.Gone g -> StreamReplies.GONE;
      case StreamResult.Malformed m -> ProblemDocument.malformed(m.message());
      case StreamResult.BelowHorizon b ->
          ProblemDocument.of(
              410,
              "below-horizon",
              "the data there is no longer kept: read on from %s".formatted(b.start().text()));
      case StreamResult.Data d -> throw new IllegalStateException("data is no refusal");
      case StreamResult.InFile f -> throw new IllegalStateException("data is no refusal");
    };
  }
}
