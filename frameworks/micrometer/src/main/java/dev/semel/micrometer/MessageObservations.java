package dev.semel.micrometer;

import dev.semel.ExecutionOrigin;
import dev.semel.InvalidInput;
import dev.semel.inbox.HandleResult;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes messages where they are created, sent and processed: spans by OpenTelemetry's messaging
 * conventions with a tracer, timers with a meter registry. The trace travels in the message's
 * headers, so it continues in the process that handles the message.
 *
 * <p>A message gets its trace context when it is created, in the transaction that adds it; the
 * spans of relays and handlers are children of that. Meters have few key values, never an id.
 */
public final class MessageObservations {
  /** The creation of a message, which puts the trace context into its headers. */
  public static final String CREATE = "semel.message.create";

  /** From the send to the broker's answer. */
  public static final String SEND = "semel.message.send";

  /** The handling of a message, including its transaction where the caller observes that too. */
  public static final String PROCESS = "semel.message.process";

  private static final String SYSTEM = "messaging.system";
  private static final String OPERATION_TYPE = "messaging.operation.type";
  private static final String OPERATION_NAME = "messaging.operation.name";
  private static final String DESTINATION = "messaging.destination.name";
  private static final String GROUP = "messaging.consumer.group.name";
  private static final String ID = "messaging.message.id";
  private static final String CONVERSATION = "messaging.message.conversation_id";
  private static final String BODY_SIZE = "messaging.message.body.size";
  private static final String ERROR_TYPE = "error.type";

  private final ObservationRegistry registry;
  private final LimitedMeters<String> destinations;
  private final LimitedMeters<String> consumers;

  public MessageObservations(ObservationRegistry registry, MeterSettings settings) {
    this.registry = registry;
    this.destinations = new LimitedMeters<>(settings.maxDestinations(), name -> name);
    this.consumers = new LimitedMeters<>(settings.maxDestinations(), name -> name);
  }

  /**
   * Adds the context of a new span to a message, as a child of this thread's span. Call it before
   * adding to an outbox. A message that has a trace parent, or no room in its headers, stays
   * unchanged.
   *
   * @param system the messaging system, as in {@link Transport#system}
   */
  public Message created(String system, Message message) {
    if (registry.isNoop() || message.headers().containsKey(Message.TRACE_PARENT)) {
      return message;
    }
    Map<String, String> context = new LinkedHashMap<>();
    Observation observation =
        started(
            CREATE,
            "create",
            system,
            message,
            () -> {
              SenderContext<Map<String, String>> sender =
                  new SenderContext<>(MessageObservations::set, Kind.PRODUCER);
              sender.setCarrier(context);
              return sender;
            });
    observation.stop();
    return context.isEmpty() ? message : with(message, context);
  }

  private static void set(@Nullable Map<String, String> headers, String name, String value) {
    if (headers != null) {
      headers.put(name, value);
    }
  }

  private static Message with(Message message, Map<String, String> context) {
    Map<String, String> headers = new LinkedHashMap<>(context);
    headers.putAll(message.headers());
    try {
      return new Message(
          message.id(),
          message.destination(),
          message.orderingKey(),
          message.type(),
          message.payload(),
          headers);
    } catch (InvalidInput e) {
      return message; // a problem with tracing must not keep a message from being sent
    }
  }

  /** A transport that also observes what is sent; closing it closes the given one. */
  public Transport observing(Transport transport) {
    return registry.isNoop() ? transport : new ObservedTransport(transport, this);
  }

  /** Observes a send until its result is known; bound to no thread. */
  Observation sending(String system, Message message) {
    return started(SEND, "send", system, message, () -> receiver(message, Kind.CLIENT));
  }

  /** The handling of a message. */
  @FunctionalInterface
  public interface Body<X extends Exception> {
    HandleResult run() throws X;
  }

  /** Observes a handler that throws when it fails. */
  public <X extends Exception> void process(
      String system, String consumer, Message message, ExecutionOrigin.Step<X> handler) throws X {
    this.<X>processed(
        system,
        consumer,
        message,
        () -> {
          handler.run();
          return new HandleResult.Done();
        });
  }

  /** Observes a handler that returns its result. */
  @SuppressWarnings("try") // the scope only needs closing
  public <X extends Exception> HandleResult processed(
      String system, String consumer, Message message, Body<X> body) throws X {
    if (registry.isNoop()) {
      return body.run();
    }
    Observation observation =
        notStarted(PROCESS, "process", system, message, () -> receiver(message, Kind.CONSUMER))
            .lowCardinalityKeyValue(GROUP, consumers.of(consumer))
            // Meters need the same keys in every case.
            .lowCardinalityKeyValue(MeterTag.OUTCOME, ExecutionObservations.THREW)
            .start();
    try (Observation.Scope scope = observation.openScope()) {
      HandleResult handled = body.run();
      observation.lowCardinalityKeyValue(MeterTag.OUTCOME, word(handled));
      if (handled instanceof HandleResult.Failed failed) {
        failed(observation, failed.reason());
      }
      return handled;
    } catch (Exception e) {
      failed(observation, e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  static void failed(Observation observation, Throwable reason) {
    observation.highCardinalityKeyValue(ERROR_TYPE, reason.getClass().getName());
    observation.error(reason);
  }

  private static String word(HandleResult handled) {
    return switch (handled) {
      case HandleResult.Done d -> "done";
      case HandleResult.Duplicate d -> "duplicate";
      case HandleResult.Failed f -> "failed";
      case HandleResult.HeldBack h -> "held_back";
      case HandleResult.InDoubt d -> "in_doubt";
    };
  }

  /** A child of the context in which the message was created. */
  private static Observation.Context receiver(Message message, Kind kind) {
    ReceiverContext<Message> receiver =
        new ReceiverContext<>((from, name) -> from.headers().get(name), kind);
    receiver.setCarrier(message);
    return receiver;
  }

  private Observation started(
      String name,
      String operation,
      String system,
      Message message,
      Supplier<Observation.Context> context) {
    return notStarted(name, operation, system, message, context).start();
  }

  /** Spans get the full destination; meters only up to their limit. */
  private Observation notStarted(
      String name,
      String operation,
      String system,
      Message message,
      Supplier<Observation.Context> context) {
    String metered = destinations.of(message.destination());
    Observation observation =
        Observation.createNotStarted(name, context, registry)
            .contextualName(operation + " " + message.destination())
            .lowCardinalityKeyValue(SYSTEM, system)
            .lowCardinalityKeyValue(OPERATION_TYPE, operation)
            .lowCardinalityKeyValue(OPERATION_NAME, operation)
            .lowCardinalityKeyValue(DESTINATION, metered)
            .highCardinalityKeyValue(ID, message.id())
            .highCardinalityKeyValue(BODY_SIZE, Integer.toString(message.payload().length));
    if (!metered.equals(message.destination())) {
      observation.highCardinalityKeyValue(DESTINATION, message.destination());
    }
    message
        .header(Message.CORRELATION_ID)
        .ifPresent(id -> observation.highCardinalityKeyValue(CONVERSATION, id));
    return observation;
  }
}
