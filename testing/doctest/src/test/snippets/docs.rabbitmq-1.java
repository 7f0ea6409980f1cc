import dev.semel.rabbitmq.*;
import dev.semel.transport.*;

class Snippet {
  String json = "{}";

  void snippet() throws Exception {
    // snippet
  }
}
