import dev.semel.jdbc.*;
import java.time.Duration;

class Snippet {
  interface Log {
    void error(Object trouble);
  }

  JdbcInbox inbox;
  Log log;

  void snippet() throws Exception {
    // snippet
  }
}
