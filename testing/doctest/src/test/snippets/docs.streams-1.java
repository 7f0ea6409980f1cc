import dev.semel.Semel;
import dev.semel.alert.AlertSettings;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.webhook.Webhook;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

class Snippet {
  String secret = "";
  CountDownLatch stopped = new CountDownLatch(1);

  void snippet() throws Exception {
    // snippet
  }
}
