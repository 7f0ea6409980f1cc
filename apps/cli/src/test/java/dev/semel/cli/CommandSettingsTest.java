package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.jdbc.internal.engine.DatabaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandSettingsTest {
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> flags = new HashMap<>();

  private CommandSettings settings() {
    return CommandSettings.resolve(flags, around());
  }

  private Environment around() {
    StandardStreams streams =
        new StandardStreams(InputStream.nullInputStream(), System.out, System.err, "");
    return new Environment(environment, folder, streams);
  }

  private void file(Path in, String text) throws IOException {
    Files.createDirectories(in);
    Files.writeString(in.resolve("semel.yaml"), text, StandardCharsets.UTF_8);
  }

  @Test
  void flagsComeBeforeVariablesBeforeFilesBeforeDefaults() throws IOException {
    Path data = folder.resolve("data");
    assertThat(settings().output()).isEqualTo(OutputFormat.TABLE);

    file(data, "output: plain\nstore: sqlite:data.db\n");
    file(folder, "data: data\n");
    assertThat(settings().output()).isEqualTo(OutputFormat.PLAIN);
    assertThat(settings().store()).contains("sqlite:data.db");

    file(folder, "data: data\noutput: jsonl\n");
    assertThat(settings().output()).isEqualTo(OutputFormat.JSONL);

    environment.put("SEMEL_OUTPUT", "json");
    assertThat(settings().output()).isEqualTo(OutputFormat.JSON);

    flags.put(CommandSettings.OUTPUT, "table");
    assertThat(settings().output()).isEqualTo(OutputFormat.TABLE);
    assertThat(settings().data()).isEqualTo(data);
  }

  @Test
  void dataFolderIsTheUsersOwnByDefault() {
    environment.put("HOME", "/home/u");
    assertThat(settings().data().toString()).startsWith("/home/u/").endsWith("/semel");

    environment.put("XDG_DATA_HOME", "/xdg");
    assertThat(settings().data()).isEqualTo(Path.of("/xdg/semel"));

    environment.put("SEMEL_DATA", "/elsewhere");
    assertThat(settings().data()).isEqualTo(Path.of("/elsewhere"));
  }

  @Test
  void fileMayHoldCommentsBlankLinesAndQuotes() throws IOException {
    file(
        folder,
        "---\n# a comment\n\noutput: \"json\" # why\nstore: 'sqlite:a b#c.db'\nlog: off   # quiet\n");

    assertThat(settings().output()).isEqualTo(OutputFormat.JSON);
    assertThat(settings().store()).contains("sqlite:a b#c.db");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'output: json\nprot: 1'        | line 2: there is no setting \"prot\"; known are data, database, log, output, store, streams",
        "'# x\n\noutput json'           | line 3: expected \"key: value\"",
        "'output: json\noutput: plain'  | line 2: output is set twice",
        "'store:\n  url: x'             | line 1: store has no value",
        "'output:'                      | line 1: output has no value",
        "'output: xml'                  | table, json, jsonl or plain",
        "'log: loud'                    | json or off"
      })
  void whatIsWrongInTheFileIsNamedWithItsLine(String text, String message) throws IOException {
    file(folder, text);

    assertThatThrownBy(this::settings)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(message);
  }

  @Test
  void lineThatCantBeReadIsNotRepeated() throws IOException {
    file(folder, "store:redis://:s3cret@cache\n");

    assertThatThrownBy(this::settings)
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("line 1: expected \"key: value\"")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void dataFoldersOwnFileCannotMoveIt() throws IOException {
    environment.put("SEMEL_DATA", folder.resolve("data").toString());
    file(folder.resolve("data"), "data: elsewhere\n");

    assertThatThrownBy(this::settings).hasMessageContaining("no setting \"data\"");
  }

  @Test
  void nothingThatMayHoldAPasswordIsPartOfATextForPeople() {
    String url = "postgresql://ann:secret@db/shop?sslpassword=secret";
    environment.put("SEMEL_STORE", url);
    environment.put("SEMEL_DATABASE", url);

    assertThat(settings().toString()).doesNotContain("secret");
    assertThat(CommandSettings.layers(flags, around()).toString()).doesNotContain("secret");
    assertThat(around().toString()).doesNotContain("secret");
    assertThat(DatabaseUrl.parse(url, 5432).toString()).contains("db").doesNotContain("secret");
  }

  @Test
  void serverIsAskedForStreamsAndRefusedForRecords() {
    environment.put("SEMEL_URL", "http://127.0.0.1:4437");
    assertThat(settings().streamsUrl()).isEqualTo("http://127.0.0.1:4437");
    assertThatThrownBy(() -> settings().storeUrl())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("SEMEL_URL");

    flags.put(CommandSettings.STORE, "memory:");
    assertThat(settings().storeUrl()).isEqualTo("memory:");
  }

  @Test
  void serverIsAskedForRecordsUnlessTheCallOrAVariableNamesAStore() throws IOException {
    assertThat(settings().center()).isEmpty();

    environment.put("SEMEL_URL", "http://server");
    file(folder, "store: sqlite:in-a-file.db\n");
    assertThat(settings().center()).contains("http://server");
    assertThat(settings().ownStoreUrl()).isEqualTo("sqlite:in-a-file.db");

    environment.put("SEMEL_STORE", "memory:");
    assertThat(settings().center()).isEmpty();
  }

  @Test
  void streamsAreThoseOfTheCallThenTheServersThenTheFilesThenTheDataFolders() throws IOException {
    environment.put("SEMEL_DATA", "/elsewhere");
    assertThat(settings().streamsUrl()).isEqualTo("journal:/elsewhere/streams");

    file(folder, "streams: journal:in-a-file\n");
    assertThat(settings().streamsUrl()).isEqualTo("journal:in-a-file");

    environment.put("SEMEL_URL", "http://server");
    assertThat(settings().streamsUrl()).isEqualTo("http://server");
    assertThat(settings().ownStreamsUrl()).isEqualTo("journal:in-a-file");

    environment.put("SEMEL_STREAMS", "journal:variable");
    assertThat(settings().streamsUrl()).isEqualTo("journal:variable");

    flags.put(CommandSettings.STREAMS, "memory:");
    assertThat(settings().streamsUrl()).isEqualTo("memory:");
  }
}
