package dev.semel.server.stream;

import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.ProblemDocument;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Turns the answer to an append into a status and headers. */
final class AppendReply {
  private static final CharSequence STALE_EPOCH = HeaderNames.name("stale-epoch");

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final boolean managed;
  private final boolean conditional;

  private AppendReply(HttpServerRequest request, boolean managed, boolean conditional) {
    this.request = request;
    this.response = request.response();
    this.managed = managed;
    this.conditional = conditional;
  }

  /**
   * @param managed whether the producer speaks the older dialect
   * @param conditional whether the append required a certain tail
   */
  static void send(
      HttpServerRequest request,
      StreamResult.ToAppend answer,
      boolean managed,
      boolean conditional) {
    new AppendReply(request, managed, conditional).send(answer);
  }

  private void send(StreamResult.ToAppend answer) {
    switch (answer) {
      case StreamResult.Appended a -> appended(a);
      case StreamResult.Closed c -> done(204, c.next(), true, c.producer());
      case StreamResult.Duplicate d -> duplicate(d);
      case StreamResult.StreamClosed c -> closed(c);
      case StreamResult.StaleEpoch s -> stale(s);
      case StreamResult.Gap g -> gap(g);
      case StreamResult.TailMoved t -> moved(t);
      case StreamResult.OtherType t ->
          refuse(
              409,
              "other-content-type",
              "the stream holds %s: append that".formatted(t.expected().text()));
      case StreamResult.SeqRegression s ->
          refuse(
              409,
              "sequence-regression",
              "Stream-Seq must be greater than that of the last append");
      case StreamResult.Malformed m -> ProblemDocument.malformed(m.message()).send(request);
      case StreamResult.TooLarge t -> RequestBodies.tooLarge(t.max()).send(request);
      case StreamResult.Full f -> StreamReplies.full(f).send(request);
      case StreamResult.Busy b -> StreamReplies.busy(request, b);
      case StreamResult.NoRoom n -> CallFailures.NO_ROOM.send(request);
      case StreamResult.Missing m -> StreamReplies.MISSING.send(request);
      case StreamResult.Gone g -> StreamReplies.GONE.send(request);
    }
  }

  private void appended(StreamResult.Appended a) {
    int status = managed ? 201 : a.producer().isPresent() ? 200 : 204;
    done(status, a.next(), a.closed(), a.producer());
  }

  private void duplicate(StreamResult.Duplicate d) {
    if (d.first().isPresent()) {
      offset(d.first().get().next());
    }
    if (d.closed()) {
      response.putHeader(HeaderNames.STREAM_CLOSED, HeaderNames.TRUE);
    }
    producer(d.highest());
    response.setStatusCode(204).end();
  }

  private void done(int status, Offset next, boolean closed, Optional<ProducerTuple> producer) {
    offset(next);
    if (closed) {
      response.putHeader(HeaderNames.STREAM_CLOSED, HeaderNames.TRUE);
    }
    if (producer.isPresent()) {
      producer(producer.get());
    }
    response.setStatusCode(status).end();
  }

  private void offset(Offset next) {
    String text = next.text();
    response.putHeader(HeaderNames.STREAM_NEXT_OFFSET, text);
    if (conditional) {
      response.putHeader(HeaderNames.ETAG, '"' + text + '"');
    }
  }

  private void producer(ProducerTuple tuple) {
    if (managed) {
      response.putHeader(HeaderNames.X_PRODUCER_EPOCH, Long.toString(tuple.epoch()));
      return;
    }
    response
        .putHeader(HeaderNames.PRODUCER_EPOCH, Long.toString(tuple.epoch()))
        .putHeader(HeaderNames.PRODUCER_SEQ, Long.toString(tuple.seq()));
  }

  private void closed(StreamResult.StreamClosed c) {
    offset(c.next());
    response.putHeader(HeaderNames.STREAM_CLOSED, HeaderNames.TRUE);
    refuse(409, "stream-closed", "the stream is closed: nothing can be appended any more");
  }

  private void stale(StreamResult.StaleEpoch s) {
    String current = Long.toString(s.current());
    if (managed) {
      response
          .putHeader(HeaderNames.X_ERROR, STALE_EPOCH)
          .putHeader(HeaderNames.X_CURRENT_EPOCH, current);
    } else {
      response.putHeader(HeaderNames.PRODUCER_EPOCH, current);
    }
    refuse(
        403,
        "stale-epoch",
        "a later life of this producer has epoch %s: stop, or start anew with a higher one"
            .formatted(current));
  }

  private void gap(StreamResult.Gap g) {
    String expected = Long.toString(g.expected());
    if (managed) {
      response.putHeader(HeaderNames.X_EXPECTED_SEQ, expected);
    } else {
      response
          .putHeader(HeaderNames.PRODUCER_EXPECTED_SEQ, expected)
          .putHeader(HeaderNames.PRODUCER_RECEIVED_SEQ, Long.toString(g.received()));
    }
    refuse(
        409,
        "sequence-gap",
        "the producer's next sequence is %s and this is %d: send what is missing first"
            .formatted(expected, g.received()));
  }

  private void moved(StreamResult.TailMoved t) {
    offset(t.tail());
    refuse(412, "tail-moved", "the stream's tail is not the one in If-Match: read on and decide");
  }

  private void refuse(int status, String name, String detail) {
    ProblemDocument.of(status, name, detail).send(request);
  }
}
