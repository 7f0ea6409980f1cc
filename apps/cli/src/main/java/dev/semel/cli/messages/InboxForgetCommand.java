package dev.semel.cli.messages;

import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Forgets an id, so that the message takes effect again. */
@CommandLine.Command(
    name = "forget",
    header = "Forget one id, so that its message takes effect when it comes again.",
    description = {
      "",
      "For a message in doubt that did not happen, or one that must happen once more. If it did"
          + " take effect, it will have done so twice. The message itself is not sent: whoever"
          + " has it must send it again.",
      ""
    },
    footer = {"", "Example:", "  semel inbox forget --consumer mailer --id greeting-4"})
final class InboxForgetCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final ConsumerOption consumer = new ConsumerOption();

  @Option(names = "--id", paramLabel = "ID", required = true, description = "Which message.")
  private @Nullable String id;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  InboxForgetCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    String whose = consumer.name();
    String which = SemelCommand.given(id);
    String named = "%s of %s".formatted(PrintableText.quoted(which), PrintableText.quoted(whose));
    if (semel
        .console()
        .declined(
            "This forgets %s: if that message comes again it takes effect, a second time if it did before."
                .formatted(named),
            yes)) {
      return ExitCode.OK;
    }
    return database.withInbox(
        semel,
        inbox -> {
          if (!inbox.forget(whose, which)) {
            semel
                .console()
                .complain(
                    "nothing was forgotten: there is no id %s, or its message waits or is dead (semel inbox retry gives it back to its workers)"
                        .formatted(named));
            return ExitCode.NOT_FOUND;
          }
          return CountedNoun.ids(1).tell(semel, "forgot");
        });
  }
}
