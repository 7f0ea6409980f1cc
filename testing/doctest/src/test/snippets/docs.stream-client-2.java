import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.*;
import java.util.Optional;

class Snippet {
  DurableStream orders;
  String lastOffset = "-1";
  void handle(Object message) {}
  void keep(String offset) {}

  void snippet() throws Exception {
    // snippet
  }
}
