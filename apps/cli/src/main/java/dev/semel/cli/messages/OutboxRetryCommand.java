package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.transport.Message;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Retries dead letters. */
@CommandLine.Command(
    name = "retry",
    header = "Put dead letters back into the queue, and try failing messages at once.",
    description = {
      "",
      "They go to the end: messages of the same ordering key may have been sent since. With"
          + " --payload one dead letter goes back under its id; if the broker had taken it and only"
          + " its answer was lost, whoever heard it drops the new payload.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel outbox retry --destination orders",
      "  semel outbox retry --id order-17-v1 --payload order.json"
    })
final class OutboxRetryCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final OutboxFilterOptions filter = new OutboxFilterOptions();
  @Mixin private final PayloadOption payload = new PayloadOption();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  OutboxRetryCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Filter chosen = filter.filter();
    if (payload.given()) {
      return edit(chosen);
    }
    return database.withOutbox(
        semel,
        outbox -> {
          CountedNoun touched = CountedNoun.messages(outbox.retriable(chosen));
          String does = "This puts %s back into the queue.".formatted(touched.text());
          if (touched.declined(semel, does, yes)) {
            return ExitCode.OK;
          }
          return CountedNoun.messages(outbox.retry(chosen, touched.count())).tell(semel, "retried");
        });
  }

  private int edit(Filter chosen) {
    if (chosen.id().isEmpty() || chosen.from().isPresent() || chosen.until().isPresent()) {
      throw new InvalidInput("--payload is for one dead letter: name it with --id alone");
    }
    String id = chosen.id().get();
    byte[] mended = payload.read(semel);
    return database.withOutbox(
        semel,
        outbox -> {
          Optional<Message> found = OutboxPayloadCommand.find(outbox, chosen.destination(), id);
          if (found.isEmpty()) {
            return OutboxPayloadCommand.notFound(semel, id);
          }
          String letter =
              "%s to %s"
                  .formatted(
                      PrintableText.quoted(id), PrintableText.safe(found.get().destination()));
          if (PayloadOption.declined(
              semel, letter, found.get().payload().length, mended.length, yes)) {
            return ExitCode.OK;
          }
          if (!outbox.retry(found.get().destination(), id, mended)) {
            return OutboxPayloadCommand.notFound(semel, id); // another caller was quicker
          }
          return CountedNoun.messages(1).tell(semel, "retried");
        });
  }
}
