import dev.semel.*;
import dev.semel.job.*;
import dev.semel.nats.*;

class Snippet {
  Semel semel;
  JetStreamSettings settings;
  void export(byte[] payload, String effectKey) {}

  void snippet() throws Exception {
    // snippet
  }
}
