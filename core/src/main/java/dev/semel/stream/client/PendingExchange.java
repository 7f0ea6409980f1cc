package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.HttpWire;
import dev.semel.stream.client.internal.StreamCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One running request: one thread waits for it, others may end it. */
final class PendingExchange {
  /** Replaces the JDK's limit, which can't be left out and would cut long answers. */
  private static final Duration ENDLESS = Duration.ofDays(365);

  private final HttpRequest request;
  private final CompletableFuture<HttpResponse<BodyInflow>> opening;

  private PendingExchange(
      HttpRequest request, CompletableFuture<HttpResponse<BodyInflow>> opening) {
    this.request = request;
    this.opening = opening;
  }

  static PendingExchange begin(StreamCalls calls, HttpRequest.Builder builder) {
    HttpRequest request = builder.timeout(ENDLESS).build();
    return new PendingExchange(request, calls.open(request, head -> new BodyInflow()));
  }

  /**
   * Waits for the headers.
   *
   * @throws StoreException as {@link StreamCalls#send} fails
   */
  HttpResponse<BodyInflow> head(Duration limit) throws InterruptedException {
    try {
      return opening.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failed(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      abort();
      throw failed(e);
    }
  }

  /** Waits for the whole answer, as long as data keeps coming. */
  HttpReply whole(Duration silence, int maxBytes) throws InterruptedException {
    HttpResponse<BodyInflow> head = head(silence);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      switch (head.body().take(silence)) {
        case BodyInflow.Piece.Data data -> {
          for (ByteBuffer buffer : data.buffers()) {
            add(body, buffer, maxBytes);
          }
        }
        case BodyInflow.Piece.Broken broken -> {
          abort();
          throw failed(broken.why());
        }
        case BodyInflow.Piece.End end -> {
          return new HttpReply(head, body.toByteArray());
        }
      }
    }
  }

  private void add(ByteArrayOutputStream body, ByteBuffer buffer, int maxBytes) {
    if (body.size() + buffer.remaining() > maxBytes) {
      abort();
      throw tooMuch(maxBytes);
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    body.writeBytes(bytes);
  }

  StreamGarbled tooMuch(int maxBytes) {
    return new StreamGarbled(
        "%s sends more than %d bytes at once: allow more (maxChunkBytes)"
            .formatted(ServerUrl.text(request.uri()), maxBytes));
  }

  StoreException failed(Throwable why) {
    return HttpWire.failed(request, why);
  }

  /** The server ended an answer that has no end. */
  StoreException ended() {
    return failed(new IOException("the connection ended"));
  }

  String address() {
    return ServerUrl.text(request.uri());
  }

  /** Gives up, whatever it waits for. */
  void abort() {
    opening.cancel(true);
    CompletableFuture<Void> unused = opening.thenAccept(head -> head.body().abort());
  }
}
