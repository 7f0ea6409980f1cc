package dev.semel.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ExecutionOrigin;
import dev.semel.Key;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Shop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger of the shop handled one message, that of the stall two. */
class DatabaseOptionTest {
  private static final String OF_THE_SHOP = "ledger\t1\t0\t0\t0\n";
  private static final String OF_THE_STALL = "ledger\t2\t0\t0\t0\n";

  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.handle("ledger", "first");
    }
    try (Shop stall = Shop.open(folder.resolve("stall.db"))) {
      stall.handle("ledger", "first").handle("ledger", "second");
    }
  }

  private String status(String... flags) {
    Cli.Result result =
        cli.call(
            Stream.concat(Stream.of("inbox", "status", "-o", "plain"), Stream.of(flags))
                .toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void flagGoesBeforeTheVariableThatBeforeTheFileAndThatBeforeTheStore() throws IOException {
    assertThat(status()).isEmpty();

    Files.writeString(folder.resolve("semel.yaml"), "database: sqlite:shop.db\n");
    assertThat(status()).isEqualTo(OF_THE_SHOP);

    cli.with("SEMEL_DATABASE", "sqlite:stall.db");
    assertThat(status()).isEqualTo(OF_THE_STALL);
    assertThat(status("--database", "sqlite:shop.db")).isEqualTo(OF_THE_SHOP);
  }

  @Test
  void variableGoesBeforeAServerAndAFileDoesNot() throws IOException {
    cli.with("SEMEL_URL", "http://127.0.0.1:1");
    Files.writeString(folder.resolve("semel.yaml"), "database: sqlite:shop.db\n");
    assertThat(cli.call("inbox", "status").code()).isEqualTo(ExitCode.UNREACHABLE);

    cli.with("SEMEL_DATABASE", "sqlite:stall.db");
    assertThat(status()).isEqualTo(OF_THE_STALL);
  }

  @Test
  void storeThatTheCallNamesGoesBeforeTheDatabaseOfAllCalls() {
    cli.with("SEMEL_DATABASE", "sqlite:shop.db");
    assertThat(status("--store", "sqlite:stall.db")).isEqualTo(OF_THE_STALL);
  }

  @Test
  void databaseOfAVariableIsLookedAtBesideTheStore() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      ExecutionOrigin.of(Key.of("job", "1")).<Shop, SQLException>call(() -> shop.order("order-1"));
    }
    cli.with("SEMEL_STORE", "memory:").with("SEMEL_DATABASE", "sqlite:shop.db");
    Cli.Result life = cli.call("keys", "inspect", "job:1", "--life-line", "-o", "json");
    assertThat(life.code()).as(life.err()).isZero();
    assertThat(life.out()).contains("outbox");
  }

  @Test
  void misspelledNameBecomesNoDatabase() {
    Cli.Result refused = cli.with("SEMEL_DATABASE", "sqlite:shpo.db").call("inbox", "status");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("shpo.db");
    assertThat(folder.resolve("shpo.db")).doesNotExist();
  }

  @Test
  void whatIsSetIsShownWithoutItsPasswordAndChecked() {
    cli.with("SEMEL_DATABASE", "postgresql://shop:secret@db/shop");
    assertThat(cli.call("config", "show", "-o", "plain").out())
        .contains("database\tpostgresql://db/shop\tSEMEL_DATABASE\n");
    assertThat(cli.call("config", "check").code()).isZero();

    Cli.Result wrong =
        cli.with("SEMEL_DATABASE", "redis://u:secret@h").call("config", "check", "-o", "json");
    assertThat(wrong.code()).isEqualTo(ExitCode.FAILED);
    assertThat(wrong.out()).contains("SEMEL_DATABASE").doesNotContain("secret");
    assertThat(cli.call("config", "set", "database=memory:").code()).isEqualTo(ExitCode.USAGE);
  }
}
