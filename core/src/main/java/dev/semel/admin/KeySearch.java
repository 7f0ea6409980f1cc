package dev.semel.admin;

import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Searches a catalog that can only list by prefix, one page at a time. */
final class KeySearch {
  /**
   * The most calls of the store for one page. A filter that matches few records may return a short
   * page; the caller continues from its cursor.
   */
  private static final int MAX_CALLS = 50;

  private final KeyCatalog catalog;

  KeySearch(KeyCatalog catalog) {
    this.catalog = catalog;
  }

  ControlCenter.KeyPage page(KeyFilter filter, String cursor, int limit) {
    LocalControlCenter.checkPage(limit);
    List<KeyRecord> found = new ArrayList<>();
    String next = cursor;
    int calls = filter.byPrefixAlone() ? 1 : MAX_CALLS;
    do {
      // Never read more than the page can take: the store's cursor stands at the end of what was
      // read.
      KeyCatalog.Page page = catalog.list(filter.prefix(), next, limit - found.size());
      page.entries().stream().filter(filter::takes).map(KeyRecord::of).forEach(found::add);
      next = page.next();
      calls--;
    } while (!next.isEmpty() && found.size() < limit && calls > 0);
    return new ControlCenter.KeyPage(found, next);
  }

  long count(KeyFilter filter) {
    long[] count = new long[1];
    each(filter, entry -> count[0]++);
    return count[0];
  }

  long delete(KeyFilter filter) {
    long[] deleted = new long[1];
    each(filter, entry -> deleted[0] += catalog.delete(entry.key()) ? 1 : 0);
    return deleted[0];
  }

  private void each(KeyFilter filter, Consumer<KeyEntry> action) {
    String next = "";
    do {
      KeyCatalog.Page page = catalog.list(filter.prefix(), next, KeyCatalog.MAX_PAGE);
      page.entries().stream().filter(filter::takes).forEach(action);
      next = page.next();
    } while (!next.isEmpty());
  }
}
