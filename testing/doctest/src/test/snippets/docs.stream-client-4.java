import dev.semel.stream.client.*;
import java.util.List;

class Snippet {
  interface Order {
    byte[] json();
  }

  DurableStream orders;
  List<Order> all;

  void snippet() throws Exception {
    // snippet
  }
}
