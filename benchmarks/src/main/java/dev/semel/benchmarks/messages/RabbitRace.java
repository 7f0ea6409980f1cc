package dev.semel.benchmarks.messages;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.semel.benchmarks.Findings;
import dev.semel.internal.Ids;
import dev.semel.rabbitmq.RabbitSettings;
import dev.semel.rabbitmq.RabbitTransport;
import dev.semel.testservices.RabbitService;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The race over RabbitMQ's quorum queues. A queue gets only messages since its creation, so one
 * consumer name is used.
 */
public final class RabbitRace implements RacedBroker {
  private static final String CONSUMER = "raced";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final RabbitService service = RabbitService.start();
  private final RabbitSettings settings = RabbitSettings.of(service.url());
  private final RabbitTransport transport = RabbitTransport.connect(settings);
  private final Connection connection;

  private RabbitRace() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(service.url());
    this.connection = factory.newConnection();
  }

  /** Prints the figures. */
  public static void run(Findings out, int sent, int received) throws Exception {
    try (RabbitRace race = new RabbitRace()) {
      TransportRace.run(out, race, sent, received);
    }
  }

  @Override
  public String name() {
    return "RabbitMQ queues";
  }

  @Override
  public Transport transport() {
    return new OneName(transport);
  }

  @Override
  public String freshDestination() {
    String destination = "raced." + Ids.uuid7();
    RabbitTransport.connect(settings.withDestination(destination, CONSUMER)).close();
    return destination;
  }

  @Override
  public void publishBare(List<Message> messages, int batch) throws Exception {
    try (Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      int open = 0;
      for (Message message : messages) {
        AMQP.BasicProperties properties =
            new AMQP.BasicProperties.Builder()
                .deliveryMode(2)
                .messageId(message.id())
                .headers(Map.of("key", message.orderingKey()))
                .build();
        String partition = Integer.toString(Math.floorMod(message.orderingKey().hashCode(), 8));
        channel.basicPublish(message.destination(), partition, true, properties, message.payload());
        if (++open == batch) {
          channel.waitForConfirmsOrDie(PATIENCE.toMillis());
          open = 0;
        }
      }
      channel.waitForConfirmsOrDie(PATIENCE.toMillis());
    }
  }

  private record Arrived(long tag, String id) {}

  @Override
  public void consumeBare(String destination, int count, int batch, Taker taker) throws Exception {
    try (Channel channel = connection.createChannel()) {
      BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
      channel.basicQos(settings.prefetch());
      for (int partition = 0; partition < settings.partitions(); partition++) {
        channel.basicConsume(
            destination + "." + CONSUMER + "." + partition,
            false,
            (tag, message) ->
                arrived.add(
                    new Arrived(
                        message.getEnvelope().getDeliveryTag(),
                        message.getProperties().getMessageId())),
            tag -> {});
      }
      int taken = 0;
      while (taken < count) {
        List<Arrived> some = new ArrayList<>();
        some.add(arrived.take());
        arrived.drainTo(some, batch - 1);
        taker.take(some.stream().map(Arrived::id).toList());
        channel.basicAck(some.getLast().tag(), true);
        taken += some.size();
      }
    }
  }

  @Override
  public void close() {
    transport.close();
    connection.abort();
    service.close();
  }

  /** Our transport, with the consumer name that existed when the messages were sent. */
  private record OneName(Transport to) implements Transport {
    @Override
    public String describe() {
      return to.describe();
    }

    @Override
    public CompletionStage<PublishResult> publish(Message message) {
      return to.publish(message);
    }

    @Override
    public boolean keepsOrder() {
      return to.keepsOrder();
    }

    @Override
    public Subscription subscribe(String destination, String name, SubscribeSettings how) {
      return to.subscribe(destination, CONSUMER, how);
    }

    @Override
    public Subscription subscribe(
        String destination, String name, SubscribeSettings how, ConsumerPositions positions) {
      return to.subscribe(destination, CONSUMER, how, positions);
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return to.hazards(retrySpan);
    }

    @Override
    public void close() {}
  }
}
