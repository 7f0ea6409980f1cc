package dev.semel.example.streams;

import dev.semel.stream.ContentType;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * Adds up orders as they arrive, until it has the given number. It continues at the offset in its
 * {@link Total}.
 */
final class Reader {
  private Reader() {}

  /** Arguments: the server's address, the total's file, and the number of orders. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[1]);
    long all = Long.parseLong(arguments[2]);
    Total total = Total.read(file);
    try (StreamClient client = StreamClient.connect(URI.create(arguments[0]));
        StreamReader reader =
            client.stream(Order.STREAM)
                .as(ContentType.JSON)
                .read(ReadOptions.from(total.offset()).withLive(Live.AUTO))) {
      while (total.orders() < all) {
        StreamChunk chunk = reader.next().orElseThrow();
        total = total.and(chunk);
        total.write(file);
        System.out.println(total.orders());
      }
    }
  }
}
