import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.jdbc.*;
import dev.semel.loop.Platform;
import dev.semel.micrometer.*;
import dev.semel.micrometer.StatusMeters.Sources;
import dev.semel.outbox.*;
import dev.semel.transport.*;
import io.micrometer.core.instrument.MeterRegistry;

class Snippet {
  MeterRegistry registry;
  Store store;
  JdbcOutbox outbox;
  Transport transport;
  RelaySettings settings;

  void snippet() throws Exception {
    // snippet
  }
}
