package dev.semel.micrometer;

import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Subscription;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Observes each message from the send to the broker's answer, and changes nothing else. */
final class ObservedTransport implements Transport {
  private final Transport inner;
  private final MessageObservations observations;

  ObservedTransport(Transport inner, MessageObservations observations) {
    this.inner = inner;
    this.observations = observations;
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    Observation observation = observations.sending(inner.system(), message);
    CompletionStage<PublishResult> answer;
    try {
      answer = inner.publish(message);
    } catch (RuntimeException e) {
      stop(observation, e);
      throw e;
    }
    return observed(answer, observation);
  }

  @Override
  public List<CompletionStage<PublishResult>> publishAll(List<Message> messages) {
    List<Observation> all = new ArrayList<>();
    messages.forEach(message -> all.add(observations.sending(inner.system(), message)));
    List<CompletionStage<PublishResult>> answers;
    try {
      answers = inner.publishAll(messages);
    } catch (RuntimeException e) {
      all.forEach(observation -> stop(observation, e));
      throw e;
    }
    List<CompletionStage<PublishResult>> observed = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      observed.add(observed(answers.get(i), all.get(i)));
    }
    return observed;
  }

  /** Returns the original answer: a dependent stage would fail with another exception. */
  private static CompletionStage<PublishResult> observed(
      CompletionStage<PublishResult> answer, Observation observation) {
    CompletableFuture<PublishResult> unused =
        answer
            .whenComplete(
                (published, failure) -> {
                  if (failure == null) {
                    observation.stop();
                  } else {
                    stop(observation, cause(failure));
                  }
                })
            .toCompletableFuture();
    return answer;
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() instanceof PublishFailed e
        ? e
        : failure;
  }

  private static void stop(Observation observation, Throwable failure) {
    MessageObservations.failed(observation, failure);
    observation.stop();
  }

  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public String system() {
    return inner.system();
  }

  @Override
  public boolean allOrNone() {
    return inner.allOrNone();
  }

  @Override
  public boolean keepsOrder() {
    return inner.keepsOrder();
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
    return inner.subscribe(destination, consumer, settings);
  }

  @Override
  public Subscription subscribe(
      String destination,
      String consumer,
      SubscribeSettings settings,
      ConsumerPositions positions) {
    return inner.subscribe(destination, consumer, settings, positions);
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return inner.hazards(retrySpan);
  }

  @Override
  public List<String> setUp() {
    return inner.setUp();
  }

  @Override
  public void close() {
    inner.close();
  }
}
