import dev.semel.http.client.*;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;

class Snippet {
  void show(Object answer) {}
  void reject(Object answer) {}
  void askAHuman(Object key) {}
  void tryLater(HttpRequest request, Object key) {}

  void snippet() throws Exception {
    // snippet
  }
}
