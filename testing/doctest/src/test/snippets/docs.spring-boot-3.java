import dev.semel.spring.test.*;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

class Snippet {
  static void click() {}

  // snippet
}
