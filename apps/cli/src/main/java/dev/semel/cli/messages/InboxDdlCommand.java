package dev.semel.cli.messages;

import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints statements, for databases where tables are created by hand. */
@CommandLine.Command(
    name = "ddl",
    header = "Print the statements that create Semel's tables in this kind of database.",
    footer = {
      "",
      "Examples:",
      "  semel inbox ddl --database postgresql://app@localhost/shop | psql shop",
      "  semel inbox ddl --database postgresql://app@localhost/shop --from 5 | psql -1 shop",
      "  semel inbox ddl --database postgresql://app@localhost/shop --partitioned"
    })
final class InboxDdlCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(
      names = "--partitioned",
      description =
          "Only the statements that partition an inbox that is there (PostgreSQL); semel inbox"
              + " partition makes and drops the partitions.")
  private boolean partitioned;

  @Option(
      names = "--width",
      paramLabel = "DURATION",
      defaultValue = "1d",
      description = "With --partitioned: whose ids share a partition (default: 1d).")
  private @Nullable Duration width;

  @Option(
      names = "--from",
      paramLabel = "VERSION",
      defaultValue = "0",
      description =
          "Only what tables of that version lack; semel doctor says which one is there (default:"
              + " none is).")
  private int from;

  InboxDdlCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    semel.refuseOutputFlag("the result is SQL");
    String sql =
        partitioned
            ? database.partitioning(semel, SemelCommand.given(width))
            : database.ddl(semel, from);
    semel.console().line(sql.stripTrailing());
    return ExitCode.OK;
  }
}
