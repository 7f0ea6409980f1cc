package dev.semel.servlet;

import dev.semel.Tenant;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.http.spi.CallerTenants;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.tck.http.HttpContract;
import dev.semel.tck.http.HttpFront;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;

/** The HTTP contract, by the filter on a plain Jetty. */
final class JettyContractTest extends HttpContract {
  @Override
  protected HttpFront start(HttpRules rules, Store store) {
    Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
    Jetty jetty =
        new Jetty()
            .filter(
                new IdempotencyFilter(new HttpIdempotency(idempotency, rules))
                    .withTenant(JettyContractTest::tenant))
            .servlet("/*", new BackendServlet())
            .start();
    return new HttpFront() {
      @Override
      public URI uri() {
        return jetty.uri();
      }

      @Override
      public void close() {
        jetty.close();
        idempotency.close();
      }
    };
  }

  private static Tenant tenant(HttpServletRequest request) {
    String authorization = request.getHeader("Authorization");
    return authorization == null ? Tenant.DEFAULT : CallerTenants.hashed(authorization);
  }
}
