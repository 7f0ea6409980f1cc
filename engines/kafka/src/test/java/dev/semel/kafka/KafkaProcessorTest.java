package dev.semel.kafka;

import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Ids;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("proof")
@ExtendWith(SharedServices.class)
final class KafkaProcessorTest {
  private static final Duration LIMIT = Patience.LIMIT;
  private static final int COUNT = 600;

  @TempDir Path folder;

  private static KafkaSettings settings(String url) {
    return KafkaSettings.of(url)
        .withPublishTimeout(Duration.ofSeconds(5))
        .withTopics(TopicSettings.of(4).withReplicas(1, 1))
        .withOption("session.timeout.ms", "2000")
        .withOption("heartbeat.interval.ms", "400")
        .withOption("max.poll.records", "20")
        .withOption("transaction.timeout.ms", "4000");
  }

  /** Two messages for each, whose ids contain its id. */
  private static List<Message> made(Message message, String to) {
    return List.of(
        Message.of(to, message.id() + "-a").withOrderingKey(message.orderingKey()),
        Message.of(to, message.id() + "-b").withOrderingKey(message.orderingKey()));
  }

  /** Adds a message that is too large, when others of its transaction are already sent. */
  private static List<Message> sometimesTooLarge(List<Message> made, int call) {
    if (call % 50 != 49) {
      return made;
    }
    List<Message> more = new ArrayList<>(made);
    more.add(Message.of(made.getFirst().destination(), new byte[2 << 20]));
    return more;
  }

  private static void take(Subscription output, List<String> got, int count)
      throws InterruptedException {
    long start = System.nanoTime();
    while (got.size() < count && System.nanoTime() - start < LIMIT.toNanos()) {
      List<Delivery> some = output.receive(50, Duration.ofMillis(200));
      got.addAll(texts(some));
      output.acknowledge(some);
    }
  }

  @Test
  void whatFollowsFromEachIsThereOnceWhileProcessesDieAndTransactionsFail(
      KafkaService kafka, TestReporter report) throws InterruptedException {
    report.publishEntry(Map.of("messages", "" + COUNT, "kills", "2"));
    String from = "from." + Ids.uuid7();
    String to = "to." + Ids.uuid7();
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger problems = new AtomicInteger();
    try (KafkaTransport transport = KafkaTransport.connect(settings(kafka.url()));
        Subscription output =
            transport.subscribe(
                to, "reader", SubscribeSettings.defaults().withMaxUnacknowledged(5000))) {
      List<String> expected = new ArrayList<>();
      IntStream.range(0, COUNT)
          .forEach(
              i -> {
                expected.add("m" + i + "-a");
                expected.add("m" + i + "-b");
                Message message = Message.of(from, "x").withId("m" + i).withOrderingKey("k" + i);
                if (i == 0) {
                  get(transport.publish(message));
                } else {
                  var unused = transport.publish(message);
                }
              });
      List<String> got = new ArrayList<>();
      try (ChildJvm child =
          ChildJvm.start(Child.class, folder.resolve("child.log"), kafka.url(), from, to)) {
        take(output, got, 40); // so the child works before it is killed
        child.restart();
        try (KafkaProcessor here =
            KafkaProcessor.start(
                settings(kafka.url()),
                "doubler",
                from,
                message -> sometimesTooLarge(made(message, to), calls.incrementAndGet()),
                problem -> problems.incrementAndGet())) {
          take(output, got, COUNT);
          child.restart();
          take(output, got, 2 * COUNT);
          assertThat(here.processed()).isPositive();
        }
      }
      List<Delivery> more = output.receive(50, Duration.ofSeconds(1));
      got.addAll(texts(more));
      assertThat(problems.get()).as("transactions that were undone").isPositive();
      assertThat(got).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Another process with the same processor. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      try (KafkaProcessor processor =
          KafkaProcessor.start(
              settings(arguments[0]),
              "doubler",
              arguments[1],
              message -> made(message, arguments[2]),
              Child::tell)) {
        while (System.in.read() >= 0) {}
        System.out.println(processor.processed());
      }
    }

    private static void tell(Exception problem) {
      problem.printStackTrace(System.err);
    }
  }
}
