package dev.semel.proof.simulation;

import dev.semel.StoreException;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One process's connection to the broker; requests may overtake each other. */
final class SimulatedTransport implements Transport {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final SimulatedMachine process;
  private final BrokerDesk desk;
  private final Consumer<Message> beforeSending;

  SimulatedTransport(SimulatedMachine process, BrokerDesk desk, Consumer<Message> beforeSending) {
    this.process = process;
    this.desk = desk;
    this.beforeSending = beforeSending;
  }

  @Override
  public String describe() {
    return "simulated:";
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    beforeSending.accept(message);
    CompletableFuture<PublishResult> answer = new CompletableFuture<>();
    process.beside(
        "publish",
        () -> {
          try {
            answer.complete(desk.publish(message));
          } catch (PublishFailed e) {
            answer.completeExceptionally(e);
          } catch (StoreException e) {
            answer.completeExceptionally(new PublishFailed(Kind.UNREACHABLE, "no answer", e));
          }
        });
    return answer;
  }

  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
    return new Subscription() {
      @Override
      public List<Delivery> receive(int limit, Duration patience) {
        List<Delivery> taken = take(limit);
        if (taken.isEmpty()) {
          process.park(this, Math.min(patience.toNanos(), LOOK_AGAIN.toNanos()));
          return take(limit);
        }
        return taken;
      }

      private List<Delivery> take(int limit) {
        return desk.take(limit).stream().<Delivery>map(Handed::new).toList();
      }

      @Override
      public long lag() {
        return 0;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return List.of();
  }

  @Override
  public void close() {}

  private final class Handed implements Delivery {
    private final BrokerDesk.Handed handed;

    Handed(BrokerDesk.Handed handed) {
      this.handed = handed;
    }

    @Override
    public Message message() {
      return handed.message();
    }

    @Override
    public long attempt() {
      return handed.attempt();
    }

    @Override
    public void acknowledge() {
      desk.acknowledge(handed.number());
    }

    @Override
    public void retry(Duration pause) {
      try {
        desk.retry(handed.number(), pause);
      } catch (StoreException e) {
        // The broker redelivers the message when its time is over.
      }
    }

    @Override
    public void extend() {}
  }
}
