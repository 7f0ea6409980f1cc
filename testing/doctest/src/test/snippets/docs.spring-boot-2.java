import dev.semel.spring.*;
import dev.semel.transport.Message;
import org.springframework.context.annotation.Bean;

class Snippet {
  interface Ledger {
    void book(Message message);
  }

  // snippet
}
