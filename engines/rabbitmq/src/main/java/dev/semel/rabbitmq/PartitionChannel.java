package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Command;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One partition's queue on a channel of its own: closing it gives everything back in one step, in
 * order, before another becomes the active reader. Cancelling would let the other begin behind what
 * is still out here.
 */
final class PartitionChannel {
  /** One that came, and has not been looked at. */
  @SuppressWarnings("ArrayRecordComponent")
  record Arrived(PartitionChannel from, long tag, AMQP.BasicProperties properties, byte[] body) {}

  private final String partition;
  private final String queue;
  private final Channel channel;
  private final AMQP.Basic.Qos prefetch;
  private final AtomicInteger held = new AtomicInteger();
  private volatile boolean active;
  private volatile boolean cancelled;

  private PartitionChannel(
      String partition, String queue, Channel channel, AMQP.Basic.Qos prefetch) {
    this.partition = partition;
    this.queue = queue;
    this.channel = channel;
    this.prefetch = prefetch;
  }

  /** From now on its messages come into that queue, if no other is the active reader. */
  static PartitionChannel open(
      Connection connection,
      String partition,
      String queue,
      int prefetch,
      BlockingQueue<Arrived> into) {
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new StoreException("RabbitMQ gives no more channels on this connection: use fewer");
      }
      AMQP.Basic.Qos qos = new AMQP.Basic.Qos.Builder().prefetchCount(prefetch).build();
      PartitionChannel made = new PartitionChannel(partition, queue, channel, qos);
      channel.basicQos(prefetch);
      channel.basicConsume(
          queue,
          false,
          (tag, message) -> {
            made.held.incrementAndGet();
            made.active = true;
            into.add(
                new Arrived(
                    made,
                    message.getEnvelope().getDeliveryTag(),
                    message.getProperties(),
                    message.getBody()));
          },
          // Someone deleted the queue. Closing waits for an answer, which this thread would read.
          tag -> made.cancelled = true);
      return made;
    } catch (IOException | ShutdownSignalException e) {
      throw failed("to receive from", queue, e);
    }
  }

  private static StoreException failed(String doing, String queue, Exception e) {
    String said = RabbitRefusals.text(e);
    return new StoreException(
        said.isEmpty()
            ? "RabbitMQ did not answer %s %s: try again".formatted(doing, queue)
            : "RabbitMQ refused %s %s, and said: %s".formatted(doing, queue, said),
        e);
  }

  String partition() {
    return partition;
  }

  boolean isOpen() {
    return !cancelled && channel.isOpen();
  }

  /** Whether something came here, so that this is the active reader. */
  boolean isActive() {
    return active;
  }

  /**
   * Tells that these are finished, without waiting.
   *
   * @param reached all up to this one are
   * @return ends when the broker has handled everything that it was told before; an acknowledgement
   *     itself is never answered
   */
  CompletableFuture<Command> acknowledge(List<Long> tags, long reached) {
    // Of these, because one that was told before is unknown by now.
    long whole = tags.stream().mapToLong(tag -> tag).filter(tag -> tag <= reached).max().orElse(0);
    try {
      if (whole > 0) {
        channel.basicAck(whole, true);
      }
      for (long tag : tags) {
        if (tag > reached) {
          channel.basicAck(tag, false);
        }
      }
      held.addAndGet(-tags.size());
      return channel.asyncCompletableRpc(prefetch);
    } catch (IOException | ShutdownSignalException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Waits for what {@link #acknowledge} returned. */
  @Nullable StoreException await(CompletableFuture<Command> answer, long nanos) {
    try {
      answer.get(nanos, TimeUnit.NANOSECONDS);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unconfirmed(e);
    } catch (ExecutionException e) {
      return unconfirmed(e);
    } catch (TimeoutException e) {
      abort(); // whatever comes over it next would wait behind the answer that did not come
      return unconfirmed(e);
    }
  }

  private StoreException unconfirmed(Exception e) {
    return new StoreException(
        "RabbitMQ did not confirm that messages of %s are finished: they may come again"
            .formatted(queue),
        e);
  }

  /** What waits in the queue, and what is here of it. */
  long waiting() {
    // Asked over this channel: what was on its way here has arrived when the answer has.
    return (long) state().getMessageCount() + Math.max(0, held.get());
  }

  private AMQP.Queue.DeclareOk state() {
    try {
      return channel.queueDeclarePassive(queue);
    } catch (IOException | ShutdownSignalException e) {
      throw failed("how many wait in", queue, e);
    }
  }

  void abort() {
    try {
      channel.abort();
    } catch (IOException | ShutdownSignalException e) {
      return; // it is gone
    }
  }
}
