import dev.semel.*;
import dev.semel.job.*;

class Snippet {
  String body = "{}";
  void export(byte[] payload, String effectKey) {}

  void snippet() throws Exception {
    // snippet
  }
}
