import dev.semel.Key;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.remote.RemoteControlCenter;
import java.net.URI;
import java.util.Optional;

class Snippet {
  String token = "";

  void snippet() throws Exception {
    // snippet
  }
}
