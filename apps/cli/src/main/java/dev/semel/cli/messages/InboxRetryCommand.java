package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.admin.InboxAdmin;
import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Retries stored messages. */
@CommandLine.Command(
    name = "retry",
    header = "Give stored messages back to their workers: dead letters, or one that is stuck.",
    description = {
      "",
      "Without --id all dead letters of the consumer. They go to the end: messages of the same"
          + " ordering key may have been handled since. One that waits is due at once, and whoever"
          + " has it can't finish it any more. With --payload one dead letter goes back under its"
          + " id, and takes effect once.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel inbox retry --consumer ledger --id order-17-v1",
      "  semel inbox retry --consumer ledger --id order-17-v1 --payload order.json"
    })
final class InboxRetryCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final PayloadOption payload = new PayloadOption();
  @Mixin private final ConsumerOption consumer = new ConsumerOption();

  @Option(names = "--id", paramLabel = "ID", description = "Only this message.")
  private @Nullable String id;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  InboxRetryCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    String whose = consumer.name();
    if (payload.given()) {
      return edit(whose);
    }
    return database.withInbox(
        semel,
        inbox -> {
          String one = id;
          if (one == null) {
            return retryAll(inbox, whose);
          }
          if (!inbox.retry(whose, one)) {
            return InboxPayloadCommand.notFound(semel, whose, one);
          }
          return CountedNoun.messages(1).tell(semel, "retried");
        });
  }

  private int edit(String whose) {
    String one = id;
    if (one == null) {
      throw new InvalidInput("--payload is for one dead letter: name it with --id");
    }
    byte[] mended = payload.read(semel);
    return database.withInbox(
        semel,
        inbox -> {
          Optional<Message> found = inbox.find(whose, one);
          if (found.isEmpty()) {
            return InboxPayloadCommand.notFound(semel, whose, one);
          }
          String letter =
              "%s of %s".formatted(PrintableText.quoted(one), PrintableText.quoted(whose));
          if (PayloadOption.declined(
              semel, letter, found.get().payload().length, mended.length, yes)) {
            return ExitCode.OK;
          }
          if (!inbox.retry(whose, one, mended)) {
            semel
                .console()
                .complain(
                    "%s is no dead letter, or not any more: nothing was done".formatted(letter));
            return ExitCode.NOT_FOUND;
          }
          return CountedNoun.messages(1).tell(semel, "retried");
        });
  }

  private int retryAll(InboxAdmin inbox, String whose) {
    CountedNoun dead = CountedNoun.messages(inbox.dead(whose));
    String does =
        "This gives %s that are dead back to the workers of %s.".formatted(dead.text(), whose);
    if (dead.declined(semel, does, yes)) {
      return ExitCode.OK;
    }
    return CountedNoun.messages(inbox.retry(whose, dead.count())).tell(semel, "retried");
  }
}
