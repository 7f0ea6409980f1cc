package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.stream.Answer;
import dev.semel.stream.Answer.Conflict.Reason;
import dev.semel.stream.Append;
import dev.semel.stream.Body;
import dev.semel.stream.ContentType;
import dev.semel.stream.Create;
import dev.semel.stream.Digits;
import dev.semel.stream.Expiry;
import dev.semel.stream.Head;
import dev.semel.stream.Offset;
import dev.semel.stream.ProducerTuple;
import dev.semel.stream.ReadFrom;
import dev.semel.stream.Sender;
import dev.semel.stream.Slice;
import dev.semel.stream.StreamConfig;
import dev.semel.stream.StreamPath;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * From statuses and headers back to answers. What the protocol does not carry is filled in with
 * what the caller sent; see {@link HttpStreams}. A reply that fits nothing is {@link InvalidInput}.
 */
final class HttpAnswers {
  private HttpAnswers() {}

  static Answer.ToCreate created(Create request, HttpReply reply) {
    return switch (reply.status()) {
      case 200 -> new Answer.Existed(head(request, reply));
      case 201 -> new Answer.Created(head(request, reply));
      case 400 -> new Answer.Malformed(reply.detail());
      case 404 -> {
        if (request.fork().isEmpty()) {
          throw strange(reply);
        }
        yield new Answer.SourceMissing();
      }
      case 409 -> new Answer.Conflict(reason(reply.problem()));
      case 413 -> new Answer.TooLarge(reply.limit().max());
      case 429, 503 -> busy(reply);
      case 507 -> reply.problem().equals("disk-full") ? new Answer.NoRoom() : reply.limit();
      default -> throw strange(reply);
    };
  }

  private static Head head(Create request, HttpReply reply) {
    return head(
        request.path(),
        new StreamConfig(reply.type(), request.expiry(), request.fork()),
        reply.nextOffset(),
        reply.isTrue("Stream-Closed"));
  }

  private static Head head(StreamPath path, StreamConfig config, Offset tail, boolean closed) {
    return new Head(path, config, HttpStreams.UNKNOWN_INCARNATION, Offset.ZERO, tail, closed);
  }

  private static Reason reason(String problem) {
    for (Reason reason : Reason.values()) {
      if (PrintableText.word(reason).equals(problem)) {
        return reason;
      }
    }
    return Reason.OTHER_CONFIGURATION;
  }

  /** Only a server that says so has written nothing; any other one may have. */
  private static Answer.Busy busy(HttpReply reply) {
    if (reply.status() == 503 && !reply.nothingHappened()) {
      throw strange(reply);
    }
    return new Answer.Busy(reply.limit().limit(), reply.limit().max());
  }

  static Answer.ToAppend appended(Append request, HttpReply reply) {
    return switch (reply.status()) {
      case 200, 201 -> written(request, reply);
      case 204 -> request.body().absent() ? closed(request, reply) : unnumbered(request, reply);
      case 400 -> new Answer.Malformed(reply.detail());
      case 403 -> new Answer.StaleEpoch(number(reply, "Producer-Epoch", "X-Current-Epoch"));
      case 404 -> new Answer.Missing();
      case 409 -> conflict(request, reply);
      case 410 -> new Answer.Gone();
      case 412 -> new Answer.TailMoved(reply.nextOffset());
      case 413 -> new Answer.TooLarge(reply.limit().max());
      case 429, 503 -> busy(reply);
      case 507 -> reply.problem().equals("disk-full") ? new Answer.NoRoom() : reply.limit();
      default -> throw strange(reply);
    };
  }

  private static Answer.Appended written(Append request, HttpReply reply) {
    Offset next = reply.nextOffset();
    return new Answer.Appended(
        before(next, request.body()), next, reply.isTrue("Stream-Closed"), tuple(request, reply));
  }

  /** The same status says that it is there, and that it was there before. */
  private static Answer.ToAppend unnumbered(Append request, HttpReply reply) {
    Optional<ProducerTuple> highest = tuple(request, reply);
    if (highest.isEmpty()) {
      return written(request, reply);
    }
    Optional<Offset> next = reply.header("Stream-Next-Offset").map(Offset::parse);
    return new Answer.Duplicate(
        highest.get(),
        next.map(n -> new Answer.Batch(before(n, request.body()), n)),
        next.orElse(Offset.ZERO),
        reply.isTrue("Stream-Closed"));
  }

  /** A closing batch that is sent again can't be told from one that came for the first time. */
  private static Answer.ToAppend closed(Append request, HttpReply reply) {
    Optional<ProducerTuple> tuple = tuple(request, reply);
    boolean same =
        tuple.isEmpty()
            || !(request.sender() instanceof Sender.Declared d)
            || d.tuple().equals(tuple.get());
    if (same) {
      return new Answer.Closed(reply.nextOffset(), tuple);
    }
    return new Answer.Duplicate(
        tuple.get(),
        Optional.empty(),
        reply.header("Stream-Next-Offset").map(Offset::parse).orElse(Offset.ZERO),
        reply.isTrue("Stream-Closed"));
  }

  private static Offset before(Offset next, Body body) {
    return new Offset(next.position() - body.length());
  }

  private static Optional<ProducerTuple> tuple(Append request, HttpReply reply) {
    return switch (request.sender()) {
      case Sender.Anonymous a -> Optional.empty();
      case Sender.Declared d ->
          Optional.of(
              new ProducerTuple(
                  d.tuple().id(), number(reply, "Producer-Epoch"), number(reply, "Producer-Seq")));
      case Sender.Managed m ->
          Optional.of(new ProducerTuple(m.id(), number(reply, "X-Producer-Epoch"), m.seq()));
    };
  }

  private static Answer.ToAppend conflict(Append request, HttpReply reply) {
    if (reply.isTrue("Stream-Closed")) {
      return new Answer.StreamClosed(reply.nextOffset());
    }
    if (reply
        .header("Producer-Expected-Seq")
        .or(() -> reply.header("X-Expected-Seq"))
        .isPresent()) {
      return gap(request, reply);
    }
    return request.seq().isPresent() && !reply.problem().equals("other-content-type")
        ? new Answer.SeqRegression(request.seq().get())
        : new Answer.OtherType(request.type().orElse(ContentType.BYTES));
  }

  private static Answer.Gap gap(Append request, HttpReply reply) {
    long expected = number(reply, "Producer-Expected-Seq", "X-Expected-Seq");
    return switch (request.sender()) {
      case Sender.Anonymous a -> throw strange(reply);
      case Sender.Declared d -> new Answer.Gap(expected, d.tuple().seq());
      case Sender.Managed m -> new Answer.Gap(expected, m.seq());
    };
  }

  private static long number(HttpReply reply, String... names) {
    for (String name : names) {
      if (reply.header(name).isPresent()) {
        return Digits.parse(name, reply.header(name).get());
      }
    }
    throw strange(reply);
  }

  static Answer.ToHead found(StreamPath path, HttpReply reply) {
    return switch (reply.status()) {
      case 200 -> new Answer.Found(described(path, reply));
      case 404 -> new Answer.Missing();
      case 410 -> new Answer.Gone();
      default -> throw strange(reply);
    };
  }

  private static Head described(StreamPath path, HttpReply reply) {
    Expiry expiry = Expiry.parse(reply.header("Stream-TTL"), reply.header("Stream-Expires-At"));
    return head(
        path,
        new StreamConfig(reply.type(), expiry, Optional.empty()),
        reply.nextOffset(),
        reply.isTrue("Stream-Closed"));
  }

  static Answer.ToDelete deleted(HttpReply reply) {
    return switch (reply.status()) {
      case 200, 204 -> new Answer.Deleted();
      case 404 -> new Answer.Missing();
      case 410 -> new Answer.Gone();
      default -> throw strange(reply);
    };
  }

  /** Where the data begins now a refusal does not say; the caller finds out. */
  static Answer.ToRead read(StreamPath path, ReadFrom from, int maxBytes, HttpReply reply) {
    return switch (reply.status()) {
      case 200 -> new Answer.Data(slice(path, from, maxBytes, reply));
      case 400 -> new Answer.Malformed(reply.detail());
      case 404 -> new Answer.Missing();
      case 410 ->
          reply.problem().equals("below-horizon")
              ? new Answer.BelowHorizon(Offset.ZERO)
              : new Answer.Gone();
      default -> throw strange(reply);
    };
  }

  /** The server cuts where it likes; whoever asked for less gets less. */
  private static Slice slice(StreamPath path, ReadFrom from, int maxBytes, HttpReply reply) {
    Body body = Body.of(reply.type(), reply.body());
    int length = body.length();
    int kept = length <= maxBytes ? length : cut(body, maxBytes);
    Offset next = reply.nextOffset();
    Offset start = from instanceof ReadFrom.At at ? at.offset() : before(next, body);
    boolean whole = kept == length;
    Head head = head(path, StreamConfig.of(reply.type()), next, reply.isTrue("Stream-Closed"));
    return new Slice(
        head,
        start,
        kept == 0 ? List.of() : List.of(ByteBuffer.wrap(body.bytes(), 0, kept).slice()),
        start.plus(kept),
        whole && reply.isTrue("Stream-Up-To-Date"),
        whole && reply.isTrue("Stream-Closed"));
  }

  /** Between messages, and behind at least one. */
  private static int cut(Body body, int maxBytes) {
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
