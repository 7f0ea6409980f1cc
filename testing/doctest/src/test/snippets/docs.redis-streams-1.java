import dev.semel.redis.*;
import dev.semel.transport.*;
import java.time.Duration;
import java.util.List;

class Snippet {
  String json = "{}";
  void takeEffect(List<Delivery> got) {}

  void snippet() throws Exception {
    // snippet
  }
}
