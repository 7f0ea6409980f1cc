import static java.nio.charset.StandardCharsets.UTF_8;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.*;
import java.net.URI;

class Snippet {
  String token = "";

  void snippet() throws Exception {
    // snippet
  }
}
