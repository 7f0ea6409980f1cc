package dev.semel.tck.http;

import dev.semel.http.HttpRules;
import dev.semel.idempotency.spi.Store;

/** The contract and core's rules together, before the JDK's own little server. */
final class JdkServerTest extends HttpContract {
  @Override
  protected HttpFront start(HttpRules rules, Store store) {
    return new JdkFront(rules, store);
  }
}
