package dev.semel.example.streams;

import dev.semel.example.Child;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.StreamClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;

/** Sends a thousand orders over a stream, while it kills producer, reader and server in turn. */
public final class StreamsDemo {
  private static final int ORDERS = 1000;

  private StreamsDemo() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("semel-streams");
    Path total = folder.resolve("total.txt");
    String journal = folder.resolve("journal").toString();
    Child server = Child.start(Server.class, journal, "0");
    String port = server.line();
    String address = "http://127.0.0.1:" + port;
    try (StreamClient client = StreamClient.connect(URI.create(address))) {
      client.stream(Order.STREAM).create(ContentType.JSON);
    }
    say("A server keeps its journal in " + journal);

    try (Child producer = Child.start(Producer.class, address);
        Child reader = reader(address, total)) {
      producer.tell(orders(1, 600));
      say("The reader and then the producer are killed, at order " + awaitRead(reader, 200));
    }

    try (Child producer = Child.start(Producer.class, address);
        Child reader = reader(address, total)) {
      say("Both are started again; the reader goes on behind order " + Total.read(total).orders());
      producer.tell(orders(1, 800)); // all from the beginning
      say("The server is killed, at order " + awaitRead(reader, 700));
      server.kill();
      producer.tell(orders(801, ORDERS));
      producer.endOfInput();
      say("It is started again while the producer tries to get on");
      server = Child.start(Server.class, journal, port);
      producer.await();
      reader.await();
    } finally {
      server.kill();
    }
    Total read = Total.read(total);
    say(
        "Read: %d orders, the sum of their numbers is %d and should be %d"
            .formatted(read.orders(), read.sum(), (long) ORDERS * (ORDERS + 1) / 2));
  }

  private static Child reader(String address, Path total) {
    return Child.start(Reader.class, address, total.toString(), Integer.toString(ORDERS));
  }

  /**
   * Waits until the reader has read enough.
   *
   * @return how many it has read
   */
  private static long awaitRead(Child reader, long enough) {
    long read = 0;
    while (read < enough) {
      read = Long.parseLong(reader.line());
    }
    return read;
  }

  private static List<String> orders(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(n -> new Order(n).json()).toList();
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
