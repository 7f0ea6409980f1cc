package dev.semel.server.gateway;

import dev.semel.http.HttpRules;
import dev.semel.idempotency.spi.Store;
import dev.semel.tck.http.HttpContract;
import dev.semel.tck.http.HttpFront;
import java.net.URI;
import org.junit.jupiter.api.Tag;

/** A gateway before a service without keys fulfils the contract of every HTTP guard. */
@Tag("service")
class GatewayContractTest extends HttpContract {
  @Override
  protected HttpFront start(HttpRules rules, Store store) {
    Guarding guarding =
        Guarding.with(settings -> settings.withRules(rules, java.util.List.of()), store);
    return new HttpFront() {
      @Override
      public URI uri() {
        return guarding.uri();
      }

      @Override
      public void close() {
        guarding.close();
      }
    };
  }
}
