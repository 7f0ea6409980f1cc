package dev.semel.tck.http;

import dev.semel.http.HttpRules;
import dev.semel.idempotency.spi.Store;
import org.junit.jupiter.api.Nested;

/**
 * Everything that a front shows its clients. A front's test extends this and gives {@link #start};
 * the parts are classes of their own only to stay readable.
 */
public abstract class HttpContract extends HttpWords {
  /**
   * Starts the front on a free port, with these rules for all paths, on this store, before a {@link
   * HttpBackend} of its own (or a server in another language that does what is written there).
   *
   * <p>The tenant comes from the header {@code Authorization}: {@code Tenants.hashed} of its value,
   * and {@code Tenant.DEFAULT} for requests without it. An answer with {@code Content-Type:
   * text/event-stream} is a streamed one: it is passed on piece by piece and not kept. The front
   * takes two hundred requests at once, and the store is not closed with it.
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
