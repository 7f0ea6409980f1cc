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
 * Adds up the orders, as they come, until there are so many. It goes on behind what its {@link
 * Total} counts already, which is kept together with the offset.
 */
final class Reader {
  private Reader() {}

  /** With the server's address, the total's file, and how many orders there will be. */
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
