package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a private certificate, and commands that ask it. */
class TlsCommandsTest {
  private static final Pattern ADDRESS =
      Pattern.compile("serving streams on (https?://[0-9.]+:(\\d+))/v1/stream");
  private static final String SECRET = "very-secret-token-1234";

  @TempDir Path folder;

  private void makeCertificate(String name) throws Exception {
    TestCertificate.make(folder)
        .write(folder.resolve(name + ".crt"), folder.resolve(name + ".key"));
  }

  private String tokens(String line) throws Exception {
    Path file = folder.resolve("tokens");
    Files.writeString(file, line);
    return file.toString();
  }

  private static String address(RunningCommand command) {
    await().until(() -> !command.isAlive() || ADDRESS.matcher(command.errSoFar()).find());
    Matcher found = ADDRESS.matcher(command.errSoFar());
    assertThat(found.find()).as(command.errSoFar()).isTrue();
    return found.group(1);
  }

  @Test
  void commandsAskAServerOverTlsAndOnlyTheOneThatTheyTrust() throws Exception {
    makeCertificate("server");
    try (RunningCommand server =
        new Cli(folder)
            .start(
                "serve",
                "--port",
                "0",
                "--token",
                tokens(SECRET + " admin bytes=1m connections=100"),
                "--tls-cert",
                "server.crt",
                "--tls-key",
                "server.key",
                "--require-tls")) {
      String url = address(server);
      assertThat(url).startsWith("https://");
      Cli stranger = new Cli(folder).with("SEMEL_URL", url).with("SEMEL_TOKEN", SECRET);
      Cli.Result refused = stranger.call("streams", "create", "a");
      assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(refused.err()).contains("certificate");
      assertThat(stranger.call("stats").err()).contains("certificate");

      Cli known = stranger.with("SEMEL_CA_FILE", "server.crt");
      Cli.Result created = known.call("streams", "create", "a");
      assertThat(created.code()).as(created.err()).isZero();
      assertThat(known.call("stats").code()).isZero();
      String doctor = known.call("doctor").out();
      assertThat(doctor)
          .contains("with TLS, with tokens")
          .containsPattern("quota +token [0-9a-f]{8}: 0 of 1,048,576 stored bytes");
      Cli.Result empty = stranger.with("SEMEL_CA_FILE", "tokens").call("stats");
      assertThat(empty.code()).isEqualTo(ExitCode.USAGE);
      assertThat(empty.err()).contains("SEMEL_CA_FILE").doesNotContain(SECRET);
    }
  }

  @Test
  void aPairThatCanNotBeUsedIsRefusedBeforeAnythingListens() throws Exception {
    makeCertificate("server");
    makeCertificate("other");
    assertThat(refused("nowhere.crt", "server.key")).contains("nowhere.crt", "can't be read");
    assertThat(refused("server.crt", "nowhere.key")).contains("nowhere.key", "can't be read");
    assertThat(refused("server.crt", "other.key")).contains("other.key does not belong");
    assertThat(refused("server.key", "server.key")).contains("server.key holds no certificate");
    assertThat(refused("server.crt", "server.crt")).contains("server.crt holds no private key");
  }

  /** The message of both commands that listen; without anything of a key. */
  private String refused(String certificate, String key) throws Exception {
    String[] tls = {"--port", "0", "--tls-cert", certificate, "--tls-key", key};
    StringBuilder said = new StringBuilder();
    for (List<String> command :
        List.of(List.of("serve"), List.of("gateway", "--upstream", "http://127.0.0.1:9"))) {
      Cli.Result result =
          new Cli(folder)
              .call(Stream.concat(command.stream(), Stream.of(tls)).toArray(String[]::new));
      assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
      said.append(result.err());
    }
    String secret = Files.readAllLines(folder.resolve("server.key")).get(1);
    assertThat(said.toString()).doesNotContain(secret);
    return said.toString();
  }

  @Test
  void tokensInTheClearAreWarnedOfOrRefused() throws Exception {
    String tokens = tokens(SECRET);
    String[] plain = {"serve", "--host", "0.0.0.0", "--port", "0", "--token", tokens};
    String[] refused = Arrays.copyOf(plain, plain.length + 1);
    refused[plain.length] = "--require-tls";
    Cli.Result result = new Cli(folder).call(refused);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("TLS is required");
    assertThat(new Cli(folder).call("serve", "--tls-cert", "x").err()).contains("--tls-key");
    try (RunningCommand server = new Cli(folder).start(plain)) {
      String url = address(server).replace("0.0.0.0", "127.0.0.1");
      assertThat(server.errSoFar()).contains("tokens travel in the clear to 0.0.0.0");
      assertThat(
              new Cli(folder)
                  .with("SEMEL_URL", url)
                  .with("SEMEL_TOKEN", SECRET)
                  .call("doctor")
                  .out())
          .containsPattern("warning +server +it listens on 0.0.0.0 without TLS");
    }
  }
}
