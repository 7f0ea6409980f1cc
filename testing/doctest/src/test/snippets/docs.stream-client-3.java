import dev.semel.stream.client.*;
import java.util.Optional;

class Snippet {
  static final class Seats {
    static final Seats ALL_FREE = new Seats();

    Seats and(StreamChunk chunk) {
      return this;
    }

    boolean isFree(int seat) {
      return true;
    }
  }

  DurableStream stream;
  byte[] sale(int seat) {
    return new byte[] {1};
  }

  void snippet() throws Exception {
    // snippet
  }
}
