package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.internal.BatchRequest;
import dev.semel.stream.client.internal.BatchResult;
import dev.semel.stream.client.internal.BatchTransport;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.HttpWire;
import dev.semel.stream.client.internal.NotSent;
import dev.semel.stream.client.internal.StreamCalls;
import dev.semel.stream.internal.HeaderDigits;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Sends batches to a stream on a server. */
final class HttpBatchTransport implements BatchTransport {
  private static final String EXPECTED = "Producer-Expected-Seq";

  private final StreamCalls calls;
  private final ContentType type;
  private final Duration timeout;
  private final Set<CompletableFuture<HttpReply>> underWay = ConcurrentHashMap.newKeySet();

  HttpBatchTransport(StreamCalls calls, ContentType type, Duration timeout) {
    this.calls = calls;
    this.type = type;
    this.timeout = timeout;
  }

  @Override
  @SuppressWarnings("CollectionUndefinedEquality") // compared by identity
  public void send(BatchRequest batchRequest, Consumer<BatchResult> reply) {
    boolean bare = batchRequest.body().length == 0;
    HttpRequest.Builder post =
        calls
            .request("")
            .timeout(timeout)
            .setHeader("Producer-Id", HttpWire.value("the producer's id", batchRequest.producer()))
            .setHeader("Producer-Epoch", Long.toString(batchRequest.epoch()))
            .setHeader("Producer-Seq", Long.toString(batchRequest.seq()))
            .POST(bare ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(batchRequest.body()));
    if (!bare) {
      post.setHeader("Content-Type", type.text());
    }
    if (batchRequest.closes()) {
      post.setHeader("Stream-Closed", "true");
    }
    CompletableFuture<HttpReply> answer = calls.send(post.build());
    underWay.add(answer);
    CompletableFuture<HttpReply> unused =
        answer.whenComplete(
            (got, failure) -> {
              underWay.remove(answer);
              reply.accept(failure == null ? receipt(got, bare) : unanswered(failure));
            });
  }

  private static BatchResult unanswered(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case NotSent e -> new BatchResult.NotYet(e, Duration.ZERO);
      case StoreException e -> new BatchResult.Lost(e);
      default -> new BatchResult.Lost(new StoreException("the request was given up", cause));
    };
  }

  /** Never throws: a waiting sender must get a result. */
  private static BatchResult receipt(HttpReply reply, boolean bare) {
    try {
      return understood(reply, bare);
    } catch (IllegalArgumentException e) {
      return new BatchResult.Lost(ServerRefusals.strange(reply));
    }
  }

  private static BatchResult understood(HttpReply reply, boolean bare) {
    Optional<String> next = reply.header("Stream-Next-Offset");
    return switch (reply.status()) {
      case 200, 201 -> new BatchResult.Accepted(next);
      // A repeated bare close looks like the first: both mean closed.
      case 204 -> bare ? new BatchResult.Accepted(next) : new BatchResult.Duplicate(next);
      case 403 ->
          number(reply, "Producer-Epoch")
              .<BatchResult>map(BatchResult.Stale::new)
              .orElseGet(() -> refused(reply));
      case 409 ->
          number(reply, EXPECTED)
              .<BatchResult>map(BatchResult.Gap::new)
              .orElseGet(() -> refused(reply));
      default -> refused(reply);
    };
  }

  private static Optional<Long> number(HttpReply reply, String name) {
    return reply.header(name).map(text -> HeaderDigits.parse(name, text));
  }

  private static BatchResult refused(HttpReply reply) {
    if (cutOnItsWay(reply) || !(ServerRefusals.of(reply) instanceof StreamRefused refusal)) {
      return new BatchResult.Lost(ServerRefusals.strange(reply));
    }
    return switch (refusal.reason()) {
      case CLOSED -> new BatchResult.Closed();
      case BUSY, NO_ROOM -> new BatchResult.NotYet(refusal, TransientRefusal.pause(reply));
      case MALFORMED, TOO_LARGE -> new BatchResult.Refused(reply.status(), reply.detail(), true);
      default -> new BatchResult.Refused(reply.status(), reply.detail(), false);
    };
  }

  /**
   * The answer of Node's HTTP parser when only a part of a request arrived: no server code has seen
   * the batch, so it must be sent again.
   */
  private static boolean cutOnItsWay(HttpReply reply) {
    return reply.status() == 400
        && reply.body().length == 0
        && reply.header("Connection").orElse("").equalsIgnoreCase("close");
  }

  @Override
  public void close() {
    underWay.forEach(each -> each.cancel(true));
  }
}
