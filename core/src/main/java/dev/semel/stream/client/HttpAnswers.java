package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.internal.HeaderDigits;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamResult.Conflict.Reason;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Turns statuses and headers back into answers. Details that the protocol does not carry come from
 * the request; see {@link HttpStreams}. A reply that matches no answer is {@link InvalidInput}.
 */
final class HttpAnswers {
  private HttpAnswers() {}

  static StreamResult.ToCreate created(CreateRequest request, HttpReply reply) {
    return switch (reply.status()) {
      case 200 -> new StreamResult.Existed(head(request, reply));
      case 201 -> new StreamResult.Created(head(request, reply));
      case 400 -> new StreamResult.Malformed(reply.detail());
      case 404 -> {
        if (request.fork().isEmpty()) {
          throw strange(reply);
        }
        yield new StreamResult.SourceMissing();
      }
      case 409 -> new StreamResult.Conflict(reason(reply.problem()));
      case 413 -> new StreamResult.TooLarge(reply.limit().max());
      case 429, 503 -> busy(reply);
      case 507 -> reply.problem().equals("disk-full") ? new StreamResult.NoRoom() : reply.limit();
      default -> throw strange(reply);
    };
  }

  private static StreamHead head(CreateRequest request, HttpReply reply) {
    return head(
        request.path(),
        new StreamConfig(reply.type(), request.expiry(), request.fork()),
        reply.nextOffset(),
        reply.isTrue("Stream-Closed"));
  }

  private static StreamHead head(
      StreamPath path, StreamConfig config, Offset tail, boolean closed) {
    return new StreamHead(path, config, HttpStreams.UNKNOWN_INCARNATION, Offset.ZERO, tail, closed);
  }

  private static Reason reason(String problem) {
    for (Reason reason : Reason.values()) {
      if (PrintableText.word(reason).equals(problem)) {
        return reason;
      }
    }
    return Reason.OTHER_CONFIGURATION;
  }

  /** Only a server that says so has written nothing; any other may have. */
  private static StreamResult.Busy busy(HttpReply reply) {
    if (reply.status() == 503 && !reply.nothingHappened()) {
      throw strange(reply);
    }
    return new StreamResult.Busy(reply.limit().limit(), reply.limit().max());
  }

  static StreamResult.ToAppend appended(AppendRequest request, HttpReply reply) {
    return switch (reply.status()) {
      case 200, 201 -> written(request, reply);
      case 204 -> request.body().absent() ? closed(request, reply) : unnumbered(request, reply);
      case 400 -> new StreamResult.Malformed(reply.detail());
      case 403 -> new StreamResult.StaleEpoch(number(reply, "Producer-Epoch", "X-Current-Epoch"));
      case 404 -> new StreamResult.Missing();
      case 409 -> conflict(request, reply);
      case 410 -> new StreamResult.Gone();
      case 412 -> new StreamResult.TailMoved(reply.nextOffset());
      case 413 -> new StreamResult.TooLarge(reply.limit().max());
      case 429, 503 -> busy(reply);
      case 507 -> reply.problem().equals("disk-full") ? new StreamResult.NoRoom() : reply.limit();
      default -> throw strange(reply);
    };
  }

  private static StreamResult.Appended written(AppendRequest request, HttpReply reply) {
    Offset next = reply.nextOffset();
    return new StreamResult.Appended(
        before(next, request.body()), next, reply.isTrue("Stream-Closed"), tuple(request, reply));
  }

  /** The same status means appended or duplicate; only the producer's headers tell. */
  private static StreamResult.ToAppend unnumbered(AppendRequest request, HttpReply reply) {
    Optional<ProducerTuple> highest = tuple(request, reply);
    if (highest.isEmpty()) {
      return written(request, reply);
    }
    Optional<Offset> next = reply.header("Stream-Next-Offset").map(Offset::parse);
    return new StreamResult.Duplicate(
        highest.get(),
        next.map(n -> new StreamResult.Batch(before(n, request.body()), n)),
        next.orElse(Offset.ZERO),
        reply.isTrue("Stream-Closed"));
  }

  /** A repeated closing batch looks like a first one. */
  private static StreamResult.ToAppend closed(AppendRequest request, HttpReply reply) {
    Optional<ProducerTuple> tuple = tuple(request, reply);
    boolean same =
        tuple.isEmpty()
            || !(request.sender() instanceof AppendSender.Declared d)
            || d.tuple().equals(tuple.get());
    if (same) {
      return new StreamResult.Closed(reply.nextOffset(), tuple);
    }
    return new StreamResult.Duplicate(
        tuple.get(),
        Optional.empty(),
        reply.header("Stream-Next-Offset").map(Offset::parse).orElse(Offset.ZERO),
        reply.isTrue("Stream-Closed"));
  }

  private static Offset before(Offset next, AppendBody body) {
    return new Offset(next.position() - body.length());
  }

  private static Optional<ProducerTuple> tuple(AppendRequest request, HttpReply reply) {
    return switch (request.sender()) {
      case AppendSender.Anonymous a -> Optional.empty();
      case AppendSender.Declared d ->
          Optional.of(
              new ProducerTuple(
                  d.tuple().id(), number(reply, "Producer-Epoch"), number(reply, "Producer-Seq")));
      case AppendSender.Managed m ->
          Optional.of(new ProducerTuple(m.id(), number(reply, "X-Producer-Epoch"), m.seq()));
    };
  }

  private static StreamResult.ToAppend conflict(AppendRequest request, HttpReply reply) {
    if (reply.isTrue("Stream-Closed")) {
      return new StreamResult.StreamClosed(reply.nextOffset());
    }
    if (reply
        .header("Producer-Expected-Seq")
        .or(() -> reply.header("X-Expected-Seq"))
        .isPresent()) {
      return gap(request, reply);
    }
    return request.seq().isPresent() && !reply.problem().equals("other-content-type")
        ? new StreamResult.SeqRegression(request.seq().get())
        : new StreamResult.OtherType(request.type().orElse(ContentType.BYTES));
  }

  private static StreamResult.Gap gap(AppendRequest request, HttpReply reply) {
    long expected = number(reply, "Producer-Expected-Seq", "X-Expected-Seq");
    return switch (request.sender()) {
      case AppendSender.Anonymous a -> throw strange(reply);
      case AppendSender.Declared d -> new StreamResult.Gap(expected, d.tuple().seq());
      case AppendSender.Managed m -> new StreamResult.Gap(expected, m.seq());
    };
  }

  private static long number(HttpReply reply, String... names) {
    for (String name : names) {
      if (reply.header(name).isPresent()) {
        return HeaderDigits.parse(name, reply.header(name).get());
      }
    }
    throw strange(reply);
  }

  static StreamResult.ToHead found(StreamPath path, HttpReply reply) {
    return switch (reply.status()) {
      case 200 -> new StreamResult.Found(described(path, reply));
      case 404 -> new StreamResult.Missing();
      case 410 -> new StreamResult.Gone();
      default -> throw strange(reply);
    };
  }

  private static StreamHead described(StreamPath path, HttpReply reply) {
    StreamExpiry expiry =
        StreamExpiry.parse(reply.header("Stream-TTL"), reply.header("Stream-Expires-At"));
    return head(
        path,
        new StreamConfig(reply.type(), expiry, Optional.empty()),
        reply.nextOffset(),
        reply.isTrue("Stream-Closed"));
  }

  static StreamResult.ToDelete deleted(HttpReply reply) {
    return switch (reply.status()) {
      case 200, 204 -> new StreamResult.Deleted();
      case 404 -> new StreamResult.Missing();
      case 410 -> new StreamResult.Gone();
      default -> throw strange(reply);
    };
  }

  /** A refusal does not say where the data begins now; the caller asks for it. */
  static StreamResult.ToRead read(StreamPath path, ReadFrom from, int maxBytes, HttpReply reply) {
    return switch (reply.status()) {
      case 200 -> new StreamResult.Data(slice(path, from, maxBytes, reply));
      case 400 -> new StreamResult.Malformed(reply.detail());
      case 404 -> new StreamResult.Missing();
      case 410 ->
          reply.problem().equals("below-horizon")
              ? new StreamResult.BelowHorizon(Offset.ZERO)
              : new StreamResult.Gone();
      default -> throw strange(reply);
    };
  }

  /** The server decides how much it sends; this cuts it to what the caller asked for. */
  private static DataSlice slice(StreamPath path, ReadFrom from, int maxBytes, HttpReply reply) {
    AppendBody body = AppendBody.of(reply.type(), reply.body());
    int length = body.length();
    int kept = length <= maxBytes ? length : cut(body, maxBytes);
    Offset next = reply.nextOffset();
    Offset start = from instanceof ReadFrom.At at ? at.offset() : before(next, body);
    boolean whole = kept == length;
    StreamHead head =
        head(path, StreamConfig.of(reply.type()), next, reply.isTrue("Stream-Closed"));
    return new DataSlice(
        head,
        start,
        kept == 0 ? List.of() : List.of(ByteBuffer.wrap(body.bytes(), 0, kept).slice()),
        start.plus(kept),
        whole && reply.isTrue("Stream-Up-To-Date"),
        whole && reply.isTrue("Stream-Closed"));
  }

  /** Cuts between messages, after at least one. */
  private static int cut(AppendBody body, int maxBytes) {
    int[] ends = body.ends();
    if (ends.length == 0) {
      return Math.max(1, maxBytes);
    }
    int kept = ends[0];
    for (int end : ends) {
      kept = end <= maxBytes ? end : kept;
    }
    return kept;
  }

  static InvalidInput strange(HttpReply reply) {
    return new InvalidInput("status " + reply.status());
  }
}
