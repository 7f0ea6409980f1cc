package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.inbox.HandleResult;
import dev.semel.loop.Platform;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.MemoryTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.Transport;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Observations of messages; a test with Spring Boot shows that they form one trace. */
class MessageObservationsTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Observation.Context> ended = new ArrayList<>();
  private final MessageObservations observations = observations(MeterSettings.defaults());

  private MessageObservations observations(MeterSettings settings) {
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    registry.observationConfig().observationHandler(new Injecting());
    return new MessageObservations(registry, settings);
  }

  /** What a tracer does to senders. */
  private final class Injecting implements ObservationHandler<Observation.Context> {
    @Override
    public void onStart(Observation.Context context) {
      if (context instanceof SenderContext<?> sender) {
        inject(sender);
      }
    }

    private <C> void inject(SenderContext<C> sender) {
      C carrier = sender.getCarrier();
      if (carrier != null) {
        sender.getSetter().set(carrier, Message.TRACE_PARENT, TRACE);
      }
    }

    @Override
    public void onStop(Observation.Context context) {
      ended.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }

  @Test
  void aMessageTakesTheTraceAlongUnlessItHasOneOrNoRoomForIt() {
    Message plain = Message.of("orders", "x").withHeader("mine", "kept");
    assertThat(observations.created("kafka", plain).headers())
        .containsEntry("mine", "kept")
        .containsEntry(Message.TRACE_PARENT, TRACE);
    Message traced = plain.withTrace(TRACE.replace("-01", "-00"));
    assertThat(observations.created("kafka", traced)).isSameAs(traced);
    Message full =
        plain.withHeader("large", "x".repeat(Message.MAX_HEADER_BYTES - "largeminekept".length()));
    assertThat(observations.created("kafka", full)).isSameAs(full);
    assertThat(ended).as("none of a message that has its own").hasSize(2);
    assertThat(ended.getFirst().getContextualName()).isEqualTo("create orders");
  }

  @Test
  void withoutARegistryNothingIsDone() {
    MessageObservations none =
        new MessageObservations(ObservationRegistry.NOOP, MeterSettings.defaults());
    Message message = Message.of("orders", "x");
    assertThat(none.created("kafka", message)).isSameAs(message);
    try (MemoryTransport transport = new MemoryTransport()) {
      assertThat(none.observing(transport)).isSameAs(transport);
    }
    assertThat(none.processed("kafka", "ledger", message, HandleResult.Duplicate::new))
        .isEqualTo(new HandleResult.Duplicate());
  }

  @Test
  void aTransportAnswersAsItDidAndWhatItRefusesIsAnError() {
    try (MemoryTransport memory =
            new MemoryTransport(
                Platform.REAL,
                MemoryTransportSettings.defaults().withDestinations(Set.of("known")));
        Transport observed = observations.observing(memory)) {
      assertThat(observed.publish(Message.of("known", "x"))).isCompleted();
      assertThat(observed.publishAll(List.of(Message.of("nowhere", "x"))).getFirst())
          .isCompletedExceptionally();
      assertThatThrownBy(
              () -> observed.publish(Message.of("nowhere", "x")).toCompletableFuture().join())
          .hasCauseInstanceOf(PublishFailed.class);
    }
    assertThat(ended)
        .extracting(Observation.Context::getContextualName)
        .containsExactly("send known", "send nowhere", "send nowhere");
    assertThat(ended.getFirst().getError()).isNull();
    assertThat(ended.getLast().getError()).isInstanceOf(PublishFailed.class);
    assertThat(ended.getLast().toString())
        .contains("error.type='" + PublishFailed.class.getName() + "'");
  }

  @Test
  void handlersAreTimedByConsumerAndOutcomeAndMetersHaveNoIds() {
    Message message = Message.of("orders", "x").withId("ann@example.com");
    observations.process("kafka", "ledger", message, () -> {});
    observations.processed("kafka", "ledger", message, HandleResult.Duplicate::new);
    observations.processed(
        "kafka",
        "ledger",
        message,
        () -> new HandleResult.Failed(new IllegalStateException("no"), false));
    assertThatThrownBy(
            () ->
                observations.process(
                    "kafka",
                    "ledger",
                    message,
                    () -> {
                      throw new IllegalStateException("no");
                    }))
        .isInstanceOf(IllegalStateException.class);
    for (String outcome : List.of("done", "duplicate", "failed", "threw")) {
      assertThat(
              meters
                  .get(MessageObservations.PROCESS)
                  .tags(
                      "messaging.system", "kafka",
                      "messaging.operation.type", "process",
                      "messaging.destination.name", "orders",
                      "messaging.consumer.group.name", "ledger",
                      "outcome", outcome)
                  .timer()
                  .count())
          .as(outcome)
          .isEqualTo(1);
    }
    assertThat(meters.getMeters().toString()).doesNotContain("ann@example.com");
    assertThat(ended.getFirst().toString())
        .contains("messaging.message.id='ann@example.com'")
        .doesNotContain("error.type");
  }

  @Test
  void metersHaveSoManyDestinationsAndSpansAll() {
    MessageObservations few = observations(MeterSettings.defaults().withMaxDestinations(1));
    few.created("kafka", Message.of("first", "x"));
    few.created("kafka", Message.of("second", "x"));
    assertThat(meters.find(MessageObservations.CREATE).timers())
        .extracting(timer -> timer.getId().getTag("messaging.destination.name"))
        .containsExactlyInAnyOrder("first", "other");
    assertThat(ended.getLast().getContextualName()).isEqualTo("create second");
    assertThat(ended.getLast().toString()).contains("messaging.destination.name='second'");
  }
}
