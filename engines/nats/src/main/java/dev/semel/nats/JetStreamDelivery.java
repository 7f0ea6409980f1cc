package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.transport.Message;
import dev.semel.transport.spi.Delivery;
import io.nats.client.impl.NatsJetStreamMetaData;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A message from JetStream. It may be acknowledged on another connection than it came by. */
final class JetStreamDelivery implements Delivery {
  private static final byte[] ACK = "+ACK".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] IN_PROGRESS = "+WPI".getBytes(StandardCharsets.US_ASCII);

  private final NatsLink link;
  private final String answerTo;
  private final Message message;
  private final long attempt;
  private final Duration timeout;
  private @Nullable CompletableFuture<io.nats.client.Message> acknowledging;

  JetStreamDelivery(
      NatsLink link, io.nats.client.Message raw, String destination, Duration timeout) {
    NatsJetStreamMetaData meta = raw.metaData();
    this.link = link;
    this.answerTo = Objects.requireNonNull(raw.getReplyTo());
    this.attempt = meta.deliveredCount();
    this.timeout = timeout;
    byte[] payload = Objects.requireNonNullElse(raw.getData(), new byte[0]);
    this.message =
        NatsMessages.message(
            destination, raw.getHeaders(), payload, meta.getStream() + ":" + meta.streamSequence());
  }

  @Override
  public Message message() {
    return message;
  }

  @Override
  public long attempt() {
    return attempt;
  }

  @Override
  public void acknowledge() {
    startAcknowledging();
    awaitAcknowledged();
  }

  void startAcknowledging() {
    try {
      acknowledging = link.require().requestWithTimeout(answerTo, ACK, timeout);
    } catch (IllegalStateException | StoreException e) {
      acknowledging = CompletableFuture.failedFuture(e);
    }
  }

  void awaitAcknowledged() {
    try {
      Objects.requireNonNull(acknowledging).get(timeout.toNanos() * 2, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      throw new StoreException(
          "NATS did not confirm within %s that the message is done with: it may come again"
              .formatted(timeout),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while acknowledging: the message may come again", e);
    }
  }

  @Override
  public void retry(Duration pause) {
    String delay = pause.isZero() ? "" : " {\"delay\": " + pause.toNanos() + "}";
    say(("-NAK" + delay).getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void extend() {
    say(IN_PROGRESS);
  }

  private void say(byte[] what) {
    try {
      link.require().publish(answerTo, what);
    } catch (IllegalStateException | StoreException e) {
      return; // the connection broke: without an acknowledgement the broker redelivers the message
    }
  }
}
