package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.HttpWait;
import dev.semel.stream.client.internal.HttpWire;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * The streams of a server, over HTTP, through the interface of an engine. Safe for use by many
 * threads.
 *
 * <p>Sends nothing twice: a call whose answer was lost fails with a {@link StoreException}, and
 * whether it took effect is unknown. To find out, repeat an append as the same batch of the same
 * producer.
 *
 * <p>The protocol does not carry everything that an engine in this process returns. Left out are: a
 * stream's incarnation, where its data begins and what it was forked from (but {@link #list} has
 * the last two); a duplicate's tail, which is then its batch's end; a stream's last sequence, which
 * is then the refused one; the highest sequence of a producer of the older dialect.
 */
public final class HttpStreams implements Streams {
  /** Stands for the incarnation, which the protocol does not carry. */
  public static final long UNKNOWN_INCARNATION = 0;

  /** How many readers may wait at a time: each holds a connection. */
  public static final int MAX_WAITERS = 1000;

  /** How many streams fit into one page of the server's list. */
  private static final int PAGE = 1000;

  /** The token lacks the right, or the server does not offer the call. Nothing was done. */
  public static final class NotAllowed extends StoreException {
    private static final long serialVersionUID = 1L;

    NotAllowed(String message) {
      super(message);
    }
  }

  private final HttpCalls calls;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Sends nothing yet.
   *
   * @param server scheme, host and port, such as {@code http://127.0.0.1:4437}
   * @param token shown to the server with every call; empty: none
   */
  public HttpStreams(URI server, String token) {
    this.calls = new HttpCalls(server, token, new HttpWire());
  }

  /**
   * Sends nothing yet.
   *
   * @param trust decides which certificates of a server with {@code https} are trusted
   */
  public HttpStreams(URI server, String token, SSLContext trust) {
    this.calls = new HttpCalls(server, token, new HttpWire(Optional.of(trust)));
  }

  @Override
  public CompletionStage<StreamResult.ToCreate> create(CreateRequest request) {
    HttpRequest.Builder put = calls.stream(request.path(), "");
    request.type().ifPresent(type -> put.header("Content-Type", type.text()));
    switch (request.expiry()) {
      case StreamExpiry.Never n -> {}
      case StreamExpiry.Idle i -> put.header("Stream-TTL", Long.toString(i.seconds()));
      case StreamExpiry.At a ->
          put.header("Stream-Expires-At", Instant.ofEpochMilli(a.epochMillis()).toString());
    }
    if (request.closed()) {
      put.header("Stream-Closed", "true");
    }
    request.fork().ifPresent(fork -> fork(put, fork));
    put.PUT(raw(request.body().bytes()));
    return calls.send(put.build(), reply -> HttpAnswers.created(request, reply));
  }

  private static void fork(HttpRequest.Builder put, StreamFork fork) {
    put.header("Stream-Forked-From", HttpCalls.streamPath(fork.source()));
    fork.offset().ifPresent(offset -> put.header("Stream-Fork-Offset", offset.text()));
    if (fork.beyond() > 0) {
      put.header("Stream-Fork-Sub-Offset", Long.toString(fork.beyond()));
    }
  }

  private static BodyPublisher raw(byte[] bytes) {
    return bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
  }

  /** Sends each submission after the one before it was answered or failed. */
  @Override
  public void append(List<Submission> batch) {
    next(List.copyOf(batch), 0);
  }

  private void next(List<Submission> batch, int index) {
    if (index == batch.size()) {
      return;
    }
    Submission each = batch.get(index);
    CompletableFuture<StreamResult.ToAppend> unused =
        one(each)
            .whenComplete(
                (answer, failure) -> {
                  try {
                    if (failure == null) {
                      each.answered(answer);
                    } else {
                      each.failed(store(failure));
                    }
                  } finally {
                    next(batch, index + 1);
                  }
                });
  }

  private CompletableFuture<StreamResult.ToAppend> one(Submission each) {
    AppendRequest request = each.request();
    if (!request.body().problem().isEmpty()) {
      // A malformed body has nothing to send.
      return CompletableFuture.completedFuture(
          new StreamResult.Malformed(request.body().problem()));
    }
    HttpRequest post;
    try {
      post = post(each.path(), request);
    } catch (InvalidInput e) {
      return CompletableFuture.failedFuture(new NotAllowed(String.valueOf(e.getMessage())));
    }
    return calls
        .send(post, reply -> HttpAnswers.appended(request, reply))
        .thenCompose(
            answer ->
                answer instanceof StreamResult.OtherType
                    ? otherType(each.path())
                    : CompletableFuture.completedFuture(answer));
  }

  /** The refusal does not name the stream's type, so this asks for it. */
  private CompletableFuture<StreamResult.ToAppend> otherType(StreamPath path) {
    return found(path)
        .thenApply(
            there ->
                switch (there) {
                  case StreamResult.Found f -> new StreamResult.OtherType(f.head().config().type());
                  case StreamResult.Missing m -> m;
                  case StreamResult.Gone g -> g;
                });
  }

  private HttpRequest post(StreamPath path, AppendRequest request) {
    HttpRequest.Builder post = calls.stream(path, "");
    request.type().ifPresent(type -> post.header("Content-Type", type.text()));
    if (request.close()) {
      post.header("Stream-Closed", "true");
    }
    sender(post, request.sender());
    request
        .seq()
        .ifPresent(
            seq -> post.header("Stream-Seq", HttpWire.value("the stream sequence", seq.text())));
    request.ifMatch().ifPresent(tail -> post.header("If-Match", '"' + tail.text() + '"'));
    return post.POST(raw(wire(request.body()))).build();
  }

  /** JSON messages are sent as an array, so that a message that is an array stays whole. */
  private static byte[] wire(AppendBody body) {
    if (body.ends().length == 0) {
      return body.bytes();
    }
    byte[] array = new byte[body.length() + 1];
    array[0] = '[';
    System.arraycopy(body.bytes(), 0, array, 1, body.length());
    array[body.length()] = ']';
    return array;
  }

  private static void sender(HttpRequest.Builder post, AppendSender sender) {
    switch (sender) {
      case AppendSender.Anonymous a -> {}
      case AppendSender.Declared d ->
          post.header("Producer-Id", producer(d.tuple().id()))
              .header("Producer-Epoch", Long.toString(d.tuple().epoch()))
              .header("Producer-Seq", Long.toString(d.tuple().seq()));
      case AppendSender.Managed m -> {
        post.header("X-Producer-Id", producer(m.id()))
            .header("X-Producer-Seq", Long.toString(m.seq()));
        if (m.epoch().isPresent()) {
          post.header("X-Producer-Epoch", Long.toString(m.epoch().getAsLong()));
        }
      }
    }
  }

  private static String producer(String id) {
    return HttpWire.value("the producer's id", id);
  }

  @Override
  public CompletionStage<StreamResult.ToDelete> delete(StreamPath path) {
    return calls.send(calls.stream(path, "").DELETE().build(), HttpAnswers::deleted);
  }

  @Override
  public CompletionStage<StreamResult.ToRead> read(StreamPath path, ReadFrom from, int maxBytes) {
    String offset =
        switch (from) {
          case ReadFrom.Start s -> "-1";
          case ReadFrom.Now n -> "now";
          case ReadFrom.At at -> at.offset().text();
        };
    HttpRequest get = calls.stream(path, "?offset=" + offset).GET().build();
    return calls
        .send(get, reply -> HttpAnswers.read(path, from, maxBytes, reply))
        .thenCompose(
            answer ->
                answer instanceof StreamResult.BelowHorizon
                    ? belowHorizon(path)
                    : CompletableFuture.completedFuture(answer));
  }

  /** Asks the server's list of streams where the data begins now. */
  private CompletableFuture<StreamResult.ToRead> belowHorizon(StreamPath path) {
    return page(path.text(), "", 1)
        .thenApply(
            page ->
                page.heads().isEmpty() || !page.heads().get(0).path().equals(path)
                    ? new StreamResult.Gone()
                    : new StreamResult.BelowHorizon(page.heads().get(0).start()));
  }

  @Override
  public CompletionStage<StreamResult.ToHead> head(StreamPath path) {
    return found(path);
  }

  private CompletableFuture<StreamResult.ToHead> found(StreamPath path) {
    return calls.send(
        calls.stream(path, "").HEAD().build(), reply -> HttpAnswers.found(path, reply));
  }

  @Override
  public Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake) {
    if (waiting.incrementAndGet() > MAX_WAITERS) {
      waiting.decrementAndGet();
      return Optional.empty();
    }
    HttpWait wait = new HttpWait(calls, path, beyond, wake, waiting::decrementAndGet);
    wait.ask();
    return Optional.of(wait);
  }

  /** Reads nothing, but counts as a read: HEAD alone would not keep the stream from expiring. */
  @Override
  public CompletionStage<Boolean> touch(StreamPath path) {
    return calls.send(calls.stream(path, "?offset=now").GET().build(), HttpReply::ok);
  }

  @Override
  public CompletionStage<List<StreamResult.Producer>> producers(StreamPath path) {
    return calls.send(
        calls.request("/api/v1/producers?stream=" + ServerUrl.encode(path.text())).GET().build(),
        HttpDocuments::producers);
  }

  @Override
  public CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch) {
    String body =
        Json.object()
            .with("stream", path.text())
            .with("id", id)
            .with("managed", managed)
            .with("epoch", epoch)
            .write();
    return calls.send(
        calls
            .request("/api/v1/producers/fence")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)))
            .build(),
        HttpDocuments::fenced);
  }

  @Override
  public CompletionStage<List<StreamHead>> list(String prefix, String after, int limit) {
    return list(prefix, after, limit, new ArrayList<>());
  }

  private CompletableFuture<List<StreamHead>> list(
      String prefix, String after, int left, List<StreamHead> found) {
    return page(prefix, after, Math.min(left, PAGE))
        .thenCompose(
            page -> {
              found.addAll(page.heads());
              int more = left - page.heads().size();
              return page.next().isEmpty() || more <= 0
                  ? CompletableFuture.completedFuture(List.copyOf(found))
                  : list(prefix, page.next().get(), more, found);
            });
  }

  private CompletableFuture<HttpDocuments.Page> page(String prefix, String after, int limit) {
    String query =
        "?prefix=%s&after=%s&limit=%d"
            .formatted(ServerUrl.encode(prefix), ServerUrl.encode(after), limit);
    return calls.send(calls.request("/api/v1/streams" + query).GET().build(), HttpDocuments::page);
  }

  /** Does nothing: the server sweeps its streams. */
  @Override
  public CompletionStage<Integer> sweep() {
    return CompletableFuture.completedFuture(0);
  }

  @Override
  public void close() {
    calls.close();
  }

  private static StoreException store(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof StoreException s
        ? s
        : new StoreException("the append could not be sent: " + cause.getMessage(), cause);
  }
}
