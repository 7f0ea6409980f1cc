package dev.semel.benchmarks.messages;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import dev.semel.benchmarks.Findings;
import dev.semel.internal.Ids;
import dev.semel.rabbitmq.RabbitStreamSettings;
import dev.semel.rabbitmq.RabbitStreamTransport;
import dev.semel.testservices.RabbitService;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** The race over RabbitMQ's streams. */
public final class RabbitStreamRace implements RacedBroker {
  private final RabbitService service = RabbitService.start();
  private final RabbitStreamSettings settings =
      RabbitStreamSettings.of("rabbitmq-stream://guest:guest@127.0.0.1:" + service.streamPort());
  private final RabbitStreamTransport transport = RabbitStreamTransport.connect(settings);
  private final Environment environment =
      Environment.builder().host("127.0.0.1").port(service.streamPort()).build();

  private RabbitStreamRace() {}

  /** Prints the figures. */
  public static void run(Findings out, int sent, int received) throws Exception {
    try (RabbitStreamRace race = new RabbitStreamRace()) {
      TransportRace.run(out, race, sent, received);
    }
  }

  @Override
  public String name() {
    return "RabbitMQ streams";
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String freshDestination() {
    String destination = "raced." + Ids.uuid7();
    RabbitStreamTransport.connect(settings.withDestination(destination)).close();
    return destination;
  }

  @Override
  public void publishBare(List<Message> messages, int batch) throws Exception {
    List<Producer> partitions = new ArrayList<>();
    String destination = messages.getFirst().destination();
    for (int partition = 0; partition < settings.partitions(); partition++) {
      partitions.add(
          environment.producerBuilder().name("bare").stream(destination + "." + partition).build());
    }
    Semaphore confirmed = new Semaphore(0);
    int open = 0;
    for (Message message : messages) {
      Producer to =
          partitions.get(Math.floorMod(message.orderingKey().hashCode(), partitions.size()));
      to.send(
          to.messageBuilder()
              .properties()
              .messageId(message.id())
              .messageBuilder()
              .addData(message.payload())
              .build(),
          status -> confirmed.release());
      if (++open == batch) {
        confirmed.acquire(open);
        open = 0;
      }
    }
    confirmed.acquire(open);
    partitions.forEach(Producer::close);
  }

  @Override
  public void consumeBare(String destination, int count, int batch, Taker taker) throws Exception {
    BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    List<Consumer> partitions = new ArrayList<>();
    for (int partition = 0; partition < settings.partitions(); partition++) {
      partitions.add(
          environment.consumerBuilder().stream(destination + "." + partition)
              .offset(OffsetSpecification.first())
              .messageHandler(
                  (context, message) -> arrived.add(message.getProperties().getMessageIdAsString()))
              .build());
    }
    int taken = 0;
    while (taken < count) {
      List<String> some = new ArrayList<>();
      some.add(arrived.take());
      arrived.drainTo(some, batch - 1);
      taker.take(some);
      taken += some.size();
    }
    partitions.forEach(Consumer::close);
  }

  @Override
  public void close() {
    transport.close();
    environment.close();
    service.close();
  }
}
