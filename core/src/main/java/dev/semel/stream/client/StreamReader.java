package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.internal.AnswerLost;
import dev.semel.stream.client.internal.NotSent;
import dev.semel.stream.client.internal.RetrySchedule;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Reads a stream in order, each byte once, at its caller's pace. After a broken connection it
 * continues where it broke, for as long as the options' patience lasts; after an exception its
 * position is unchanged, and it may be asked again.
 *
 * <p>For one thread; only {@link #close} and {@link #offset} are safe for others.
 */
public final class StreamReader implements AutoCloseable {
  private final DurableStream stream;
  private final ReadOptions options;
  private final CancelHandle line;
  private final RetrySchedule retries;
  private ChunkSource source;
  private volatile StreamMark at;
  private boolean told;

  StreamReader(DurableStream stream, ReadOptions options) {
    this.stream = stream;
    this.options = options;
    this.line = new CancelHandle(stream.calls());
    this.retries = new RetrySchedule(options);
    this.at = new StreamMark(options.from(), "", false, false);
    // "now" becomes an offset first: what follows it must not depend on when a connection broke.
    boolean pinned = options.from().equals(ReadOptions.NOW);
    this.source =
        pinned || options.live() == Live.CATCH_UP || options.live() == Live.AUTO
            ? pages(false)
            : live();
  }

  private ChunkSource pages(boolean live) {
    return new PageSource(line, stream, live, options.maxChunkBytes());
  }

  private ChunkSource live() {
    boolean events =
        switch (options.live()) {
          case CATCH_UP, LONG_POLL -> false;
          case SSE -> true;
          case AUTO -> stream.known().map(ContentType::json).orElse(false);
        };
    return events ? new EventSource(line, stream, options.maxChunkBytes()) : pages(true);
  }

  /**
   * Waits for the next data. A live reader also returns one chunk without data whenever it has
   * become up to date without any.
   *
   * @return empty: the stream is closed and all of it was read, or (not live) there is no more
   *     right now, and the next call asks the server again
   * @throws StreamRefused the server refuses to let this be read: there is nothing to wait for
   * @throws StreamGarbled the answer can't be understood
   * @throws StoreException the server did not answer, or the thread was interrupted (and stays so)
   * @throws CancellationException this reader was closed
   */
  public Optional<StreamChunk> next() {
    try {
      return news();
    } catch (InterruptedException e) {
      line.drop();
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while reading", e);
    }
  }

  private Optional<StreamChunk> news() throws InterruptedException {
    line.check();
    while (true) {
      if (at.closed()) {
        return Optional.empty();
      }
      if (options.live() == Live.CATCH_UP && told) {
        told = false;
        return Optional.empty();
      }
      long start = System.nanoTime();
      Optional<StreamChunk> chunk = tried();
      if (chunk.isPresent() && worthTelling(chunk.get())) {
        return chunk;
      }
      if (chunk.isPresent() && options.live() != Live.CATCH_UP && !at.closed()) {
        line.pause(retries.afterNothing(System.nanoTime() - start));
      }
    }
  }

  private boolean worthTelling(StreamChunk chunk) {
    boolean reached = chunk.upToDate() && !told;
    told = chunk.upToDate();
    return !chunk.isEmpty() || (reached && !chunk.closed() && options.live() != Live.CATCH_UP);
  }

  /** One try. Empty: try again; after a temporary failure, the pause has been made. */
  private Optional<StreamChunk> tried() throws InterruptedException {
    try {
      StreamChunk chunk = forward(source.next(at));
      retries.answered(!chunk.isEmpty());
      if (waits() && chunk.closed() && chunk.isEmpty()) {
        // Some servers wake a waiting reader with the end before the last data, so read up to the
        // end.
        source = pages(false);
        return Optional.empty();
      }
      at = chunk.mark();
      if (at.upToDate() && options.live() != Live.CATCH_UP && !waits()) {
        source = live();
      }
      return Optional.of(chunk);
    } catch (NotSent | AnswerLost e) {
      pause(e, Duration.ZERO);
    } catch (TransientRefusal e) {
      pause(e.why(), e.pause());
    } catch (CancellationException e) {
      line.check();
      throw e;
    }
    return Optional.empty();
  }

  /**
   * Some servers return a slightly older tail to a reader that is already past it; following it
   * would repeat data. Offsets of a stream sort as text.
   */
  private StreamChunk forward(StreamChunk chunk) {
    String from = at.offset();
    boolean named = from.equals(ReadOptions.START) || from.equals(ReadOptions.NOW);
    return !named && chunk.isEmpty() && chunk.nextOffset().compareTo(from) < 0
        ? chunk.at(from)
        : chunk;
  }

  private boolean waits() {
    return source instanceof EventSource || (source instanceof PageSource p && p.live());
  }

  private void pause(StoreException failure, Duration atLeast) throws InterruptedException {
    line.check(); // else closing would look like a failure
    line.pause(retries.afterFailure(failure, atLeast));
  }

  /** Where {@link #next} continues: after the last chunk that it returned. */
  public String offset() {
    return at.offset();
  }

  /** Whether the stream is closed and all of it was read. */
  public boolean atEnd() {
    return at.closed();
  }

  /** Ends a waiting {@link #next}. */
  @Override
  public void close() {
    line.cut();
  }
}
