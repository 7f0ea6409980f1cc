package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.json.internal.JsonScanner;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.internal.BatchResult;
import dev.semel.stream.client.internal.BatchTransport;
import dev.semel.stream.client.internal.HttpWire;
import dev.semel.stream.spi.ProducerTuple;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages to a stream, each once and in order, however often requests must be repeated.
 * {@link #append} returns at once: the producer's own thread sends the messages in batches, several
 * requests at a time. A message that can't be delivered is reported by its future, the listener and
 * the next {@link #flush} or {@link #close}. Safe for use by many threads.
 *
 * <p>After a crash of this process, whether messages without an acknowledgement are in the stream
 * is unknown; a new producer with the same id takes over and fences requests still in flight.
 */
public final class IdempotentProducer implements AutoCloseable {
  private static final String LOOP = "semel-producer";
  private static final long IDLE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final Duration AFTER_A_BUG = Duration.ofSeconds(1);

  private final Platform platform;
  private final BatchTransport transport;
  private final ProducerSettings settings;
  private final ProducerListener listener;
  private final boolean json;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
  private final ProducerWindow window;
  private final MessageBacklog backlog;
  private final List<Thread> waiters = new ArrayList<>();
  private final List<Thread> waitersForRoom = new ArrayList<>();
  private final Loop loop;
  private long added;
  private long settled;
  private long pendingBytes;
  private boolean closed;
  private @Nullable CompletableFuture<ProducerAck> streamClosed;
  private @Nullable ProducerException failure;
  private volatile @Nullable Thread sender;

  private IdempotentProducer(
      Platform platform,
      BatchTransport transport,
      ContentType type,
      String id,
      ProducerSettings settings,
      ProducerListener listener) {
    this.platform = platform;
    this.transport = transport;
    this.settings = settings;
    this.listener = listener;
    this.json = type.json();
    this.window = new ProducerWindow(platform, new ProducerTuple(id, 0, 0).id(), settings);
    this.backlog = new MessageBacklog(json, settings.maxBatchBytes(), settings.linger());
    lock.lock(); // so that the first turn sees all fields set
    try {
      this.loop = Loop.startTimed(platform, LOOP, this::turn, AFTER_A_BUG, this::broken);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Opens a producer. Asks for the stream's type unless its handle knows it; sends nothing else
   * yet.
   */
  public static IdempotentProducer open(
      DurableStream stream, String id, ProducerSettings settings) {
    return open(stream, id, settings, ProducerListener.NONE);
  }

  /** Opens a producer with a listener that receives the result of each batch. */
  public static IdempotentProducer open(
      DurableStream stream, String id, ProducerSettings settings, ProducerListener listener) {
    HttpWire.value("the producer's id", id);
    ContentType type = stream.type();
    HttpBatchTransport transport =
        new HttpBatchTransport(stream.calls(), type, settings.requestTimeout());
    return open(Platform.REAL, transport, type, id, settings, listener);
  }

  /**
   * Opens a producer over any transport. Closing the producer closes it.
   *
   * @param type the stream's type
   */
  public static IdempotentProducer open(
      Platform platform,
      BatchTransport transport,
      ContentType type,
      String id,
      ProducerSettings settings,
      ProducerListener listener) {
    return new IdempotentProducer(platform, transport, type, id, settings, listener);
  }

  /**
   * Queues a message; on a JSON stream one JSON value, which stays one message even if it is an
   * array. Blocks only when too much is pending.
   *
   * @throws InvalidInput it is empty, too large or not valid JSON
   * @throws ProducerException the producer has stopped, or there was no room in time
   */
  public void append(byte[] message) {
    add(message, null);
  }

  public void append(String message) {
    append(message.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Queues a message; the future completes with its acknowledgement, or fails with a {@link
   * ProducerException}.
   */
  public CompletableFuture<ProducerAck> appendAsync(byte[] message) {
    CompletableFuture<ProducerAck> future = new CompletableFuture<>();
    add(message, future);
    return future;
  }

  private void add(byte[] message, @Nullable CompletableFuture<ProducerAck> future) {
    check(message);
    boolean wake;
    lock.lock();
    try {
      awaitRoom(ProducerBatch.weight(message));
      pendingBytes += ProducerBatch.weight(message);
      added++;
      wake = backlog.add(message, future, platform.nanos());
    } finally {
      lock.unlock();
    }
    if (wake) {
      loop.wake();
    }
  }

  private void check(byte[] message) {
    if (message.length == 0) {
      throw new InvalidInput("the message is empty: a stream holds only bytes");
    }
    if (ProducerBatch.weight(message) > settings.maxPendingBytes()) {
      throw new InvalidInput(
          "the message has %d bytes, more than may be pending (%d)"
              .formatted(message.length, settings.maxPendingBytes()));
    }
    if (json) {
      JsonScanner.elements(message);
    }
  }

  private void awaitRoom(long weight) {
    long deadline = platform.nanos() + settings.maxWait().toNanos();
    checkOpen();
    while (pendingBytes + weight > settings.maxPendingBytes()) {
      // The sender itself would wait for its own work.
      if (Thread.currentThread().equals(sender)
          || !rest(waitersForRoom, deadline - platform.nanos())) {
        throw new ProducerException.BufferFull(pendingBytes);
      }
      checkOpen();
    }
  }

  private void checkOpen() {
    ProducerException end = window.end();
    if (end != null) {
      throw end;
    }
    if (closed) {
      throw new ProducerException.Closed(null);
    }
    if (streamClosed != null) {
      throw new ProducerException.StreamClosed(null);
    }
  }

  /** Releases the lock until something has happened, or the time is over. */
  private boolean rest(List<Thread> among, long nanos) {
    if (nanos <= 0) {
      return false;
    }
    Thread me = Thread.currentThread();
    among.add(me);
    lock.unlock();
    try {
      platform.park(this, nanos);
    } finally {
      lock.lock();
      among.remove(me);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new StoreException("interrupted while waiting for the producer");
    }
    return true;
  }

  /**
   * Waits until every message appended before is in the stream, or has failed.
   *
   * @throws ProducerException the first failure since the last flush
   */
  public void flush() {
    lock.lock();
    try {
      long target = added;
      backlog.seal();
      await(() -> settled >= target);
      throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private void checkMayWait() {
    if (Thread.currentThread().equals(sender)) {
      throw new IllegalStateException("a listener can't wait for its own producer");
    }
  }

  private void await(BooleanSupplier condition) {
    checkMayWait();
    loop.wake();
    while (!condition.getAsBoolean()) {
      rest(waiters, IDLE_NANOS);
    }
  }

  private void throwFailure() {
    ProducerException first = failure;
    failure = null;
    if (first != null) {
      throw first;
    }
  }

  /**
   * Closes the stream after all appended messages, and waits for that. It may be repeated.
   *
   * @return where the stream ends
   * @throws ProducerException it could not be closed, or a message before the end failed
   */
  public Optional<String> closeStream() {
    return closeStream(null);
  }

  /** Closes the stream with a last message, in one step. */
  public Optional<String> closeStream(byte @Nullable [] last) {
    if (last != null) {
      check(last);
    }
    lock.lock();
    try {
      CompletableFuture<ProducerAck> done = streamClosed;
      if (done == null) {
        checkOpen();
        done = new CompletableFuture<>();
        backlog.addClosing(last, done, platform.nanos());
        added += last == null ? 0 : 1;
        pendingBytes += last == null ? 0 : ProducerBatch.weight(last);
        streamClosed = done;
      }
      await(done::isDone);
      boolean failed = done.isCompletedExceptionally();
      if (failed && window.end() == null) {
        streamClosed = null; // only the closing batch was refused: the stream is open
      }
      throwFailure();
      if (failed) {
        checkOpen(); // the producer had failed before
        throw (ProducerException) done.exceptionNow();
      }
      return done.join().next();
    } finally {
      lock.unlock();
    }
  }

  /** How many messages are neither acknowledged nor failed. */
  public long pendingCount() {
    lock.lock();
    try {
      return added - settled;
    } finally {
      lock.unlock();
    }
  }

  /** How many requests wait for their answer. */
  public int inFlightCount() {
    lock.lock();
    try {
      return window.inFlight();
    } finally {
      lock.unlock();
    }
  }

  /** The epoch it appends under; empty until the server was asked. */
  public OptionalLong epoch() {
    lock.lock();
    try {
      return window.epoch();
    } finally {
      lock.unlock();
    }
  }

  /** The sequence of its first batch in this epoch: batches of an earlier run come before it. */
  public long firstSequence() {
    lock.lock();
    try {
      return window.firstSeq();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Delivers all appended messages, then stops; the stream stays open. If the caller is
   * interrupted, it stops at once, and the remaining messages fail.
   *
   * @throws ProducerException a message was not delivered
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      checkMayWait(); // before any change, so that a later close still works
      closed = true;
      backlog.seal();
      await(() -> settled >= added && window.inFlight() == 0);
    } catch (StoreException e) {
      // Interrupted: the remaining messages fail below.
    } finally {
      lock.unlock();
    }
    boolean interrupted = Thread.interrupted(); // the rest is short, and must not be interrupted
    try {
      end();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void end() {
    lock.lock();
    try {
      window.end(new ProducerException.Closed(null));
    } finally {
      lock.unlock();
    }
    transport.close();
    loop.close();
    while (act()) {} // requests that the transport gave up
    lock.lock();
    try {
      window.abandon();
    } finally {
      lock.unlock();
    }
    while (act()) {}
    lock.lock();
    try {
      throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private long turn() {
    sender = Thread.currentThread();
    return act() ? 0 : restNanos();
  }

  private long restNanos() {
    lock.lock();
    try {
      long now = platform.nanos();
      long linger = backlog.restNanos(now);
      long rest = Math.min(window.restNanos(now), linger > 0 ? linger : IDLE_NANOS);
      return Math.min(rest, IDLE_NANOS);
    } finally {
      lock.unlock();
    }
  }

  /** Does the pending work; returns whether there was any. */
  private boolean act() {
    List<SettledBatch> done;
    BatchShipment next;
    boolean heard = false;
    lock.lock();
    try {
      for (Runnable each = news.poll(); each != null; each = news.poll()) {
        each.run();
        heard = true;
      }
      long now = platform.nanos();
      window.turn(now);
      next = window.next(now, () -> backlog.poll(now));
      if (window.ended()) {
        window.fail(backlog.drain());
      }
      done = window.takeSettled();
      for (SettledBatch each : done) {
        failure = failure == null ? each.failure() : failure;
      }
      if (heard) {
        waiters.forEach(platform::unpark);
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      send(next);
    }
    if (!done.isEmpty()) {
      done.forEach(this::tell);
      account(done);
    }
    return heard || next != null || !done.isEmpty();
  }

  /** Runs after futures and listeners, so that a flush returns only when all of them are done. */
  private void account(List<SettledBatch> done) {
    lock.lock();
    try {
      done.forEach(this::account);
      waiters.forEach(platform::unpark);
      // Not after every batch, so that a waiting caller fills the room in one go.
      if (pendingBytes <= settings.maxPendingBytes() / 4 * 3 || window.end() != null) {
        waitersForRoom.forEach(platform::unpark);
      }
    } finally {
      lock.unlock();
    }
  }

  private void account(SettledBatch each) {
    settled += each.batch().count();
    pendingBytes -= each.batch().weight();
  }

  private void send(BatchShipment shipment) {
    ProducerBatch batch = shipment.batch();
    try {
      transport.send(
          shipment.batchRequest(),
          receipt -> tell(() -> window.answered(batch, receipt, platform.nanos())));
    } catch (RuntimeException e) {
      StoreException why = new StoreException("the request could not be sent: " + e, e);
      tell(() -> window.answered(batch, new BatchResult.Lost(why), platform.nanos()));
    }
  }

  private void tell(Runnable what) {
    news.add(what);
    loop.wake();
  }

  private void tell(SettledBatch each) {
    each.batch().tell(each);
    ProducerAck ack = each.ack();
    ProducerException lost = each.failure();
    try {
      if (ack != null) {
        listener.acknowledged(ack);
      }
      if (lost != null) {
        listener.failed(lost);
      }
    } catch (RuntimeException e) {
      LoopFailures.report(LOOP, e); // the listener's; the other batches continue
      broken(e);
    }
  }

  private void broken(Exception e) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
  }
}
