package dev.semel.cli.keys;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyState;
import dev.semel.cli.ExitCode;
import dev.semel.cli.PageOptions;
import dev.semel.cli.SemelCommand;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists records, a page at a time. */
@CommandLine.Command(
    name = "list",
    header = "List keys and where they stand.",
    footer = {
      "",
      "Examples:",
      "  semel keys list --prefix payments: --limit 20",
      "  semel keys list --state in-doubt --all -o jsonl | jq -r .key"
    })
final class KeysListCommand implements Callable<Integer> {
  private static final int MAX_LIMIT = 10_000;

  private final SemelCommand semel;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description =
          "Only keys that start with this: tenant/…, tenant/operation:… or, in the default tenant,"
              + " operation:…")
  private String prefix = "";

  @Option(
      names = "--text",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Only keys that hold this text, in whichever case.")
  private String text = "";

  @Option(
      names = "--state",
      paramLabel = "STATE",
      defaultValue = "",
      description =
          "Only these: in-flight, in-doubt, completed, failed, released; several with commas.")
  private String state = "";

  @Mixin private final PageOptions page = new PageOptions();

  @Option(names = "--all", description = "All of them, however many.")
  private boolean all;

  KeysListCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    int limit = page.limit(MAX_LIMIT, "use --all, or --cursor to go on");
    KeyFilter filter = filter();
    KeyListing listing = new KeyListing(semel.console(), semel.settings().output());
    String next =
        semel
            .centers()
            .onStore(center -> print(center, filter, all ? Long.MAX_VALUE : limit, listing));
    listing.end(next);
    PageOptions.notes(semel, next, listing.isEmpty(), nothing(filter));
    return ExitCode.OK;
  }

  private String nothing(KeyFilter filter) {
    if (filter.byPrefixAlone()) {
      return prefix.isEmpty() ? "no keys" : "no key starts with " + fullPrefix();
    }
    return "no such keys";
  }

  private KeyFilter filter() {
    Set<KeyState> states = EnumSet.noneOf(KeyState.class);
    for (String word : state.isEmpty() ? new String[0] : state.split(",", -1)) {
      states.add(KeyState.parse(word));
    }
    return new KeyFilter(fullPrefix(), text, states);
  }

  private String print(ControlCenter center, KeyFilter filter, long most, KeyListing listing) {
    String next = page.cursor();
    long left = most;
    do {
      int size = (int) Math.min(left, ControlCenter.MAX_PAGE);
      ControlCenter.KeyPage read = center.keys(filter, next, size);
      read.keys().forEach(each -> listing.add(new KeyView(each)));
      left -= read.keys().size();
      next = read.next();
      // Ends early if standard output has no reader any more.
    } while (!next.isEmpty() && left > 0 && !semel.console().streams().out().checkError());
    return next;
  }

  private String fullPrefix() {
    return new KeyPrefix(prefix).full();
  }
}
