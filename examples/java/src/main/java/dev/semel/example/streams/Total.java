package dev.semel.example.streams;

import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A reader's result and its offset, in one file that is replaced as a whole, so that they always
 * match. In a database this would be one transaction.
 *
 * @param sum of the orders' numbers, which shows if one was missed or counted twice
 */
record Total(String offset, long orders, long sum) {
  static Total read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new Total(ReadOptions.START, 0, 0);
    }
    List<String> lines = Files.readAllLines(file);
    return new Total(lines.get(0), Long.parseLong(lines.get(1)), Long.parseLong(lines.get(2)));
  }

  Total and(StreamChunk chunk) {
    List<Order> more = chunk.messages().stream().flatMap(m -> Order.in(m).stream()).toList();
    return new Total(
        chunk.nextOffset(),
        orders + more.size(),
        sum + more.stream().mapToLong(Order::number).sum());
  }

  void write(Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.write(next, List.of(offset, Long.toString(orders), Long.toString(sum)));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
