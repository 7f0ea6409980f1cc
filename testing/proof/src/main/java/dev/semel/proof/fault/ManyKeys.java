package dev.semel.proof.fault;

import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.Store;
import java.util.Locale;

/** Lists a store with a million keys, in a JVM whose heap could not hold them all. */
public final class ManyKeys {
  public static final int COUNT = 1_000_000;

  private static final int PAGE = 100;

  private ManyKeys() {}

  /** The child's work: lists the first page, then all pages; fails unless it found every key. */
  public static void list(Store store) {
    long started = System.nanoTime();
    KeyCatalog.Page page = store.catalog().list("", "", PAGE);
    double first = millisSince(started);
    long seen = page.entries().size();
    int pages = 1;
    while (!page.next().isEmpty()) {
      page = store.catalog().list("", page.next(), KeyCatalog.MAX_PAGE);
      seen += page.entries().size();
      pages++;
    }
    System.out.printf(
        Locale.ROOT,
        "many keys: first page in %.0f ms, %,d keys on %,d pages in %.1f s, heap at most %d MB%n",
        first,
        seen,
        pages,
        millisSince(started) / 1000,
        Runtime.getRuntime().maxMemory() >> 20);
    if (seen < COUNT) {
      throw new AssertionError("only %d of %d keys were listed".formatted(seen, COUNT));
    }
  }

  private static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e6;
  }
}
