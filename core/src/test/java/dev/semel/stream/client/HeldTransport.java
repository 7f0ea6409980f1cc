package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.internal.BatchRequest;
import dev.semel.stream.client.internal.BatchResult;
import dev.semel.stream.client.internal.BatchTransport;
import dev.semel.stream.client.internal.EngineBatchTransport;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ways to a stream of the real rules, on which a test decides what happens to each request. */
final class HeldTransport {
  static final StreamPath PATH = new StreamPath("held");

  /** A request that has left the producer. */
  final class Letter {
    final BatchRequest batchRequest;
    private final Consumer<BatchResult> reply;
    private final AtomicBoolean answered = new AtomicBoolean();

    Letter(BatchRequest batchRequest, Consumer<BatchResult> reply) {
      this.batchRequest = batchRequest;
      this.reply = reply;
    }

    /** It arrives, and so does its answer. */
    BatchResult deliver() {
      BatchResult receipt = arrive();
      answer(receipt);
      return receipt;
    }

    /** It arrives, and its answer doesn't. */
    void loseAnswer() {
      arrive();
      answer(new BatchResult.Lost(new StoreException("no answer")));
    }

    void lose() {
      answer(new BatchResult.Lost(new StoreException("no answer")));
    }

    BatchResult arrive() {
      CompletableFuture<BatchResult> receipt = new CompletableFuture<>();
      engine.send(batchRequest, receipt::complete);
      return receipt.join(); // another thread may do it along with its own
    }

    /** Once. */
    void answer(BatchResult receipt) {
      if (answered.compareAndSet(false, true)) {
        reply.accept(receipt);
      }
    }
  }

  final MemoryStreams streams = new MemoryStreams(InstantSource.system());
  private final EngineBatchTransport engine;
  private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
  private volatile boolean automatic;
  private volatile @Nullable BatchResult everyAnswer;
  volatile boolean sentAfterClose;

  HeldTransport(ContentType type) {
    this.engine = new EngineBatchTransport(streams, PATH, type);
    streams
        .create(
            new CreateRequest(
                PATH,
                Optional.of(type),
                new StreamExpiry.Never(),
                false,
                AppendBody.EMPTY,
                Optional.empty()))
        .toCompletableFuture()
        .join();
  }

  /** From now on everything arrives at once. */
  HeldTransport automatic() {
    automatic = true;
    everyAnswer = null;
    return this;
  }

  /** From now on everything is answered like this, and nothing arrives. */
  void always(BatchResult receipt) {
    everyAnswer = receipt;
  }

  /** For one producer. */
  BatchTransport line() {
    return new Line();
  }

  private final class Line implements BatchTransport {
    private final Queue<Letter> open = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    @Override
    public void send(BatchRequest batchRequest, Consumer<BatchResult> reply) {
      if (closed) {
        sentAfterClose = true;
      }
      Letter letter = new Letter(batchRequest, reply);
      BatchResult answer = everyAnswer;
      if (answer != null) {
        letter.answer(answer);
      } else if (automatic) {
        letter.deliver();
      } else {
        open.add(letter);
        letters.add(letter);
      }
    }

    @Override
    public void close() {
      closed = true;
      open.forEach(Letter::lose);
    }
  }

  /** The next request, which must come. */
  Letter next() {
    try {
      Letter letter = letters.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (letter == null) {
        throw new AssertionError("nothing was sent");
      }
      return letter;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether anything else leaves within a moment. */
  boolean quiet() throws InterruptedException {
    return letters.poll(Duration.ofMillis(50).toMillis(), TimeUnit.MILLISECONDS) == null;
  }

  String text() {
    StreamResult.ToRead answer =
        streams.read(PATH, new ReadFrom.Start(), Integer.MAX_VALUE).toCompletableFuture().join();
    return new String(((StreamResult.Data) answer).slice().body(), StandardCharsets.UTF_8);
  }
}
