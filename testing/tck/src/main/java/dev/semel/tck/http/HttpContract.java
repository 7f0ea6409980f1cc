package dev.semel.tck.http;

import dev.semel.http.HttpRules;
import dev.semel.idempotency.spi.Store;
import org.junit.jupiter.api.Nested;

/**
 * Everything that an HTTP front promises to its clients. Extend it to test a front, and provide
 * {@link #start}; the parts are separate classes only for readability.
 */
public abstract class HttpContract extends HttpWords {
  /**
   * Starts the front on a free port, with these rules for all paths, on this store, in front of a
   * separate {@link HttpBackend} (or a server in another language with the same behaviour).
   *
   * <p>The tenant comes from the header {@code Authorization}: {@code Tenants.hashed} of its value,
   * and {@code Tenant.DEFAULT} for requests without it. The front passes an answer with {@code
   * Content-Type: text/event-stream} on piece by piece and does not store it. It accepts two
   * hundred requests at once, and does not close the store.
   */
  @Override
  protected abstract HttpFront start(HttpRules rules, Store store);

  @Nested
  class Replaying extends ReplayedAnswers {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }

  @Nested
  class Clicking extends ManyClicks {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }

  @Nested
  class Recognising extends SameRequest {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }

  @Nested
  class Keys extends KeyReading {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }

  @Nested
  class Keeping extends KeptAnswers {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }

  @Nested
  class Leaving extends ClientsThatLeave {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }

  @Nested
  class Profiles extends ProfileTable {
    @Override
    protected HttpFront start(HttpRules rules, Store store) {
      return HttpContract.this.start(rules, store);
    }
  }
}
