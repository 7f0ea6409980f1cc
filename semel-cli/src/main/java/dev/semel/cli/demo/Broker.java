package dev.semel.cli.demo;

import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.Published;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Subscription;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * A broker that takes what it gets, the same message too, as most do. Safe for many threads; it
 * outlives the shop's processes.
 */
final class Broker {
  private final List<Message> messages = new ArrayList<>();

  synchronized int take(Message message) {
    messages.add(message);
    return messages.size();
  }

  synchronized List<Message> messages() {
    return List.copyOf(messages);
  }

  /**
   * The way there of one process.
   *
   * @param dies right after its first message has reached the broker: it hears no answer, and says
   *     nothing more
   */
  Way way(boolean dies) {
    return new Way(dies);
  }

  final class Way implements Transport {
    private final boolean dies;
    private final CountDownLatch used = new CountDownLatch(1);

    private Way(boolean dies) {
      this.dies = dies;
    }

    /** Opens when the first message has reached the broker. */
    CountDownLatch used() {
      return used;
    }

    @Override
    public String describe() {
      return "the demo's broker";
    }

    @Override
    public synchronized CompletionStage<Published> publish(Message message) {
      boolean dead = dies && used.getCount() == 0;
      int position = dead ? 0 : take(message);
      used.countDown();
      return dies
          ? CompletableFuture.failedFuture(
              new PublishFailed(Kind.UNREACHABLE, "the process was killed before the answer came"))
          : CompletableFuture.completedFuture(new Published(false, Integer.toString(position)));
    }

    @Override
    public boolean keepsOrder() {
      return false;
    }

    /** The warehouse reads what is there by itself. */
    @Override
    public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
      throw new UnsupportedOperationException("the demo's broker has no subscriptions");
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
