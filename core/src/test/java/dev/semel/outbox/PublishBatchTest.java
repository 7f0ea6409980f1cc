package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What remains of a batch whose broker does not answer, on a clock that the test moves. */
class PublishBatchTest {
  private static final long DEADLINE = 1_000;

  private final Clock clock = new Clock();
  private final Silent transport = new Silent();
  private final PublishBatch dispatch = new PublishBatch(clock, transport, 10, new Patient());

  private static OutboxEntry queued(int partition, String id, String key) {
    return new OutboxEntry(
        partition, Long.parseLong(id), 0, Message.of("orders", id).withId(id).withOrderingKey(key));
  }

  private void run(OutboxEntry... batch) {
    dispatch.run(List.of(batch), DEADLINE);
  }

  @Test
  void whatHasNoAnswerByTheDeadlineIsLeft() {
    run(queued(1, "1", "a"), queued(2, "2", "b"));
    assertThat(dispatch.halted()).isTrue();
    assertThat(dispatch.confirmed()).isEmpty();
    assertThat(dispatch.failures()).as("it may have been taken").isEmpty();
    assertThat(dispatch.unfinished()).isEqualTo(Set.of(1, 2));
  }

  @Test
  void whatIsBehindItInItsKeyIsNotSent() {
    run(queued(1, "1", "a"), queued(1, "2", "a"), queued(1, "3", "b"));
    assertThat(transport.sent).containsExactly("1", "3");
    assertThat(dispatch.unfinished()).isEqualTo(Set.of(1));
  }

  @Test
  void whatWasAnsweredBeforeThatIsConfirmed() {
    transport.answers.put("1", CompletableFuture.completedFuture(new PublishResult(false, "")));
    run(queued(1, "1", "a"), queued(2, "2", "b"));
    assertThat(dispatch.confirmed()).extracting(each -> each.message().id()).containsExactly("1");
    assertThat(dispatch.unfinished()).contains(2);
  }

  @Test
  void anAnswerAfterTheDeadlineChangesNothing() {
    CompletableFuture<PublishResult> late = new CompletableFuture<>();
    transport.answers.put("1", late);
    run(queued(1, "1", "a"), queued(1, "2", "a"));
    late.complete(new PublishResult(false, ""));
    assertThat(dispatch.confirmed()).isEmpty();
    assertThat(transport.sent).containsExactly("1");
  }

  @Test
  void behindOneThatCouldNotEvenBeSentNothingOfItsKeyIsWhateverTheTransportPromises() {
    transport.keepsOrder = true;
    transport.unsendable = "1";
    PublishBatch eager = new PublishBatch(clock, transport, 10, new Patient());
    eager.run(List.of(queued(1, "1", "a"), queued(1, "2", "a"), queued(1, "3", "b")), DEADLINE);
    assertThat(transport.sent).containsExactly("1", "3");
  }

  /** May send everything, and waits to the end. */
  private static final class Patient implements PublishBatch.BatchOwner {
    @Override
    public boolean maySend(int partition) {
      return true;
    }

    @Override
    public void published(OutboxEntry message, PublishResult result) {}

    @Override
    public long meanwhile(int inFlight) {
      return DEADLINE;
    }
  }

  /** A rest moves the clock. */
  private static final class Clock implements Platform {
    private long now;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void park(Object blocker, long nanos) {
      now += nanos;
    }
  }

  /** Answers what it was given an answer for. */
  private static final class Silent implements Transport {
    private final List<String> sent = new ArrayList<>();
    private final Map<String, CompletableFuture<PublishResult>> answers = new HashMap<>();
    private boolean keepsOrder;
    private String unsendable = "";

    @Override
    public String describe() {
      return "silent";
    }

    @Override
    public CompletionStage<PublishResult> publish(Message message) {
      sent.add(message.id());
      if (message.id().equals(unsendable)) {
        throw new IllegalStateException("a bug");
      }
      return answers.computeIfAbsent(message.id(), id -> new CompletableFuture<>());
    }

    @Override
    public boolean keepsOrder() {
      return keepsOrder;
    }

    @Override
    public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
