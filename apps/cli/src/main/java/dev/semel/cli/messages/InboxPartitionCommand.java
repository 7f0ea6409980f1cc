package dev.semel.cli.messages;

import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.DurationText;
import dev.semel.jdbc.InboxPartitionSettings;
import dev.semel.jdbc.InboxPartitions.Upkeep;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Maintains a partitioned inbox, or partitions one. */
@CommandLine.Command(
    name = "partition",
    header = "Drop old ids by the partition (PostgreSQL), and make the coming partitions.",
    description = {
      "",
      "The first time, the inbox is partitioned by the time in ids that are a UUIDv7. After that, let"
          + " it run once a day. A message that comes later than --keep after its id was made is"
          + " refused, and becomes a dead letter.",
      ""
    },
    footer = {"", "Example:", "  semel inbox partition --keep 30d -y"})
final class InboxPartitionCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(
      names = "--keep",
      paramLabel = "DURATION",
      required = true,
      description = "For how long after its id was made a message may come, such as 30d.")
  private @Nullable Duration keep;

  @Option(
      names = "--width",
      paramLabel = "DURATION",
      defaultValue = "1d",
      description = "Whose ids share a partition; can't be changed later (default: 1d).")
  private @Nullable Duration width;

  @Option(
      names = "--ahead",
      paramLabel = "N",
      defaultValue = "7",
      description = "How many partitions are made before their time (default: 7).")
  private int ahead;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  InboxPartitionCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    InboxPartitionSettings settings =
        new InboxPartitionSettings(SemelCommand.given(width), ahead, SemelCommand.given(keep));
    if (semel
        .console()
        .declined(
            "This partitions the inbox if it is not yet, and drops all ids that were made more than %s ago: messages of before are refused from then on."
                .formatted(DurationText.brief(settings.keep())),
            yes)) {
      return ExitCode.OK;
    }
    return database.withInboxTables(
        semel,
        inbox -> {
          semel.console().line(line(inbox.partitions(settings).maintain(), format));
          return ExitCode.OK;
        });
  }

  private static String line(Upkeep done, OutputFormat format) {
    return switch (format) {
      case TABLE ->
          "%d partitions made, %d dropped; %s"
              .formatted(
                  done.created(),
                  done.dropped(),
                  done.horizon()
                      .map(time -> "messages of before " + time + " are refused")
                      .orElse("no message is refused yet"));
      case PLAIN ->
          "%d\t%d\t%s"
              .formatted(
                  done.created(), done.dropped(), done.horizon().map(Object::toString).orElse("-"));
      case JSON, JSONL -> {
        JsonObjectBuilder members =
            Json.object().with("created", done.created()).with("dropped", done.dropped());
        done.horizon().ifPresent(time -> members.with("horizon", time.toString()));
        yield members.write();
      }
    };
  }
}
