import dev.semel.*;
import dev.semel.job.*;
import java.time.*;

class Snippet {
  interface Reports {
    void create(Object slot, String effectKey);
  }

  Semel semel;
  Reports reports;

  void snippet() throws Exception {
    // snippet
  }
}
