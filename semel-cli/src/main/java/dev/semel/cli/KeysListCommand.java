package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Tenant;
import dev.semel.admin.Admin;
import dev.semel.idempotency.Store;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.KeyCatalog;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Lists records, a page at a time. */
@CommandLine.Command(
    name = "list",
    header = "List keys and where they stand.",
    footer = {
      "",
      "Examples:",
      "  semel keys list --prefix payments: --limit 20",
      "  semel keys list --all -o jsonl | jq -r 'select(.state == \"in_doubt\").key'"
    })
final class KeysListCommand implements Callable<Integer> {
  private static final int MAX_LIMIT = 10_000;

  private final Semel semel;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description =
          "Only keys that start with this: tenant/…, tenant/operation:… or, in the default tenant,"
              + " operation:…")
  private String prefix = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most (default: ${DEFAULT-VALUE}).")
  private int limit = 100;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      defaultValue = "",
      description = "Go on where the last page ended.")
  private String cursor = "";

  @Option(names = "--all", description = "All of them, however many.")
  private boolean all;

  KeysListCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidInput(
          "--limit is from 1 to %d: use --all, or --cursor to go on".formatted(MAX_LIMIT));
    }
    Format format = semel.settings().output();
    try (Store store = semel.open()) {
      Admin admin = semel.admin(store);
      KeyListing listing = KeyListing.to(semel.console(), format);
      String next = print(admin, listing);
      listing.end(next);
      if (!next.isEmpty() && format != Format.JSON) {
        semel.console().note("there are more: go on with --cursor " + ShellWord.of(next));
      }
      if (listing.isEmpty() && format == Format.TABLE) {
        semel.console().note(prefix.isEmpty() ? "no keys" : "no key starts with " + fullPrefix());
      }
    }
    return Exit.OK;
  }

  private String print(Admin admin, KeyListing listing) {
    String next = cursor;
    long left = all ? Long.MAX_VALUE : limit;
    do {
      int size = (int) Math.min(left, KeyCatalog.MAX_PAGE);
      KeyCatalog.Page page = admin.keys(fullPrefix(), next, size);
      for (Entry entry : page.entries()) {
        listing.add(new KeyView(entry));
      }
      left -= page.entries().size();
      next = page.next();
      // Whoever reads us may have seen enough.
    } while (!next.isEmpty() && left > 0 && !semel.console().streams().out().checkError());
    return next;
  }

  /** An operation can't be mistaken for a tenant, because only it is followed by a colon. */
  private String fullPrefix() {
    int colon = prefix.indexOf(':');
    int slash = prefix.indexOf('/');
    return colon >= 0 && (slash < 0 || colon < slash)
        ? Tenant.DEFAULT.name() + "/" + prefix
        : prefix;
  }
}
