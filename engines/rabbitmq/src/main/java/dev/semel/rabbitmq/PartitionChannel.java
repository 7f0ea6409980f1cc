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
 * One partition's queue on a separate channel: closing the channel requeues everything in one step,
 * in order, before another reader becomes active. After a mere cancel, the other reader could begin
 * after messages that are still out here.
 */
final class PartitionChannel {
  /** A received message that nobody has looked at. */
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

  /**
   * Subscribes: the queue's messages arrive in {@code arrived} from now on, unless another reader
   * is active.
   */
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
          // The queue was deleted. Only sets a flag, because closing waits for an answer that this
          // thread reads.
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

  /** Whether a message arrived here, which means that this is the active reader. */
  boolean isActive() {
    return active;
  }

  /**
   * Acknowledges messages, without waiting.
   *
   * @param reached all up to this one are finished
   * @return completes when the broker has handled all earlier commands; the acknowledgement itself
   *     has no answer
   */
  CompletableFuture<Command> acknowledge(List<Long> tags, long reached) {
    // The highest of these tags only, because the broker rejects tags that it no longer knows.
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

  /** Waits for the result of {@link #acknowledge}. */
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
      abort(); // later answers would wait behind the missing one
      return unconfirmed(e);
    }
  }

  private StoreException unconfirmed(Exception e) {
    return new StoreException(
        "RabbitMQ did not confirm that messages of %s are finished: they may come again"
            .formatted(queue),
        e);
  }

  /** The messages in the queue and those that are here. */
  long waiting() {
    // Asked over this channel: messages in flight have arrived before the answer.
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
