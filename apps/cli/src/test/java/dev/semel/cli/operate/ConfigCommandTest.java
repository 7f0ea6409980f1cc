package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
  }

  private Path file() {
    return folder.resolve("data").resolve("semel.yaml");
  }

  @Test
  void whatIsSetApplies() throws IOException {
    Cli.Result set = cli.call("config", "set", "store=memory:", "output=plain");
    assertThat(set.code()).isZero();
    assertThat(set.out()).isEqualTo("changed " + file() + "\n");
    assertThat(cli.call("config", "show").out())
        .contains("output\tplain\t" + file(), "store\tmemory:\t" + file());
    assertThat(Files.getPosixFilePermissions(file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void otherLinesStayAndAnEmptyValueTakesOneAway() throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "# ours\nstore: memory:\noutput: json # for jq\n");
    assertThat(cli.call("config", "set", "output=table", "log=off", "store=").code()).isZero();
    assertThat(file()).hasContent("# ours\noutput: table\nlog: off\n");
  }

  @Test
  void valuesThatNeedQuotationMarksGetThem() {
    assertThat(
            cli.call("config", "set", "store=sqlite:a #b.db", "-o", "json").json().get("changed"))
        .contains(JsonValue.of(1));
    assertThat(cli.call("config", "show", "-o", "plain").out()).contains("store\tsqlite:a #b.db\t");
  }

  @Test
  void theCurrentFoldersFileIsAnother() {
    assertThat(cli.call("config", "set", "--here", "data=elsewhere").code()).isZero();
    assertThat(folder.resolve("semel.yaml")).hasContent("data: elsewhere");
    assertThat(cli.call("config", "set", "data=elsewhere").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void whatMakesNoSenseIsNotWritten() {
    for (String wrong :
        new String[] {
          "output=xml",
          "log=loud",
          "store=oracle://u:s3cret@h/d",
          "colour=red",
          "gateway.nothing=1",
          "serve.nothing=1",
          "nothing",
          "=x"
        }) {
      Cli.Result refused = cli.call("config", "set", wrong);
      assertThat(refused.code()).as(wrong).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).doesNotContain("s3cret");
    }
    assertThat(cli.call("config", "set", "output=json", "output=plain").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(file()).doesNotExist();
  }

  @Test
  void whatIsSetIsCheckedWithoutOpeningAnything() {
    Cli.Result fine = cli.with("SEMEL_STORE", "redis://127.0.0.1:1").call("config", "check");
    assertThat(fine.code()).isZero();
    assertThat(fine.out().lines())
        .allMatch(line -> line.startsWith("ok "))
        .anyMatch(line -> line.matches("ok +store +from SEMEL_STORE"));
    assertThat(folder.resolve("data")).doesNotExist();
    Cli.Result wrong =
        cli.with("SEMEL_STORE", "oracle://u:secret@h/d").call("config", "check", "-o", "json");
    assertThat(wrong.code()).isEqualTo(ExitCode.FAILED);
    assertThat(wrong.json().get("ok")).contains(JsonValue.of(false));
    assertThat(wrong.out()).contains("\"level\":\"problem\"").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://u:s3cret@h/0",
        "redis://h?password=s3cret",
        "redis://h?password=a@s3cret",
        "redis://:s3cret?more@h"
      })
  void noPartOfAPasswordIsShown(String store) {
    assertThat(cli.with("SEMEL_STORE", store).call("config", "show").out())
        .contains("redis://")
        .doesNotContain("s3cret");
    assertThat(StoreUrls.mayHoldSecret(store)).isTrue();
  }

  @Test
  void aFileThatCantBeReadIsAProblem() throws IOException {
    Files.writeString(folder.resolve("semel.yaml"), "colour: red\n");
    Cli.Result check = cli.call("config", "check", "-o", "plain");
    assertThat(check.code()).isEqualTo(ExitCode.FAILED);
    assertThat(check.out()).contains("there is no setting");
  }
}
