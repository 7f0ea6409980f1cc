package dev.semel.cli.messages;

import dev.semel.admin.InboxAdmin;
import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes old ids. */
@CommandLine.Command(
    name = "purge",
    header = "Forget ids that were first seen long ago.",
    description = {
      "",
      "A message whose id is gone takes effect again if it comes again: keep ids for longer than"
          + " anyone may send the same message.",
      ""
    },
    footer = {"", "Example:", "  semel inbox purge --consumer ledger --older-than 90d"})
final class InboxPurgeCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final ConsumerOption consumer = new ConsumerOption();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      required = true,
      description = "Such as 90d.")
  private @Nullable Duration olderThan;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  InboxPurgeCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Duration age = SemelCommand.given(olderThan);
    String whose = consumer.name();
    return database.withInbox(semel, inbox -> purge(inbox, whose, age));
  }

  private int purge(InboxAdmin inbox, String whose, Duration age) {
    CountedNoun old = CountedNoun.ids(inbox.old(whose, age));
    String does =
        "This forgets %s of %s, first seen over %s ago."
            .formatted(old.text(), PrintableText.quoted(whose), DurationText.brief(age));
    if (old.declined(semel, does, yes)) {
      return ExitCode.OK;
    }
    return CountedNoun.ids(inbox.purgeOld(whose, age, old.count())).tell(semel, "forgot");
  }
}
