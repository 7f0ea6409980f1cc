package dev.semel.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.CommandLines;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Environment;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OptionLayers;
import dev.semel.cli.StandardStreams;
import dev.semel.http.HttpHeader;
import dev.semel.http.KeyRule;
import dev.semel.http.KeySource;
import dev.semel.http.KeySyntax;
import dev.semel.json.JsonPointer;
import dev.semel.server.gateway.GatewaySettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings of a gateway from its command line, the environment and {@code semel.yaml}. */
class GatewayOptionsTest {
  private static final String UPSTREAM = "http://localhost:3000";

  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();

  private GatewaySettings settings(String... args) {
    environment.putIfAbsent("SEMEL_DATA", folder.resolve("data").toString());
    environment.putIfAbsent("SEMEL_GATEWAY_UPSTREAM", UPSTREAM);
    StandardStreams streams =
        new StandardStreams(InputStream.nullInputStream(), System.out, System.err, "");
    GatewayOptions all = new GatewayOptions();
    return new OptionLayers(
            GatewayCommand.NAME,
            CommandLines.ofOptions(all),
            CommandSettings.layers(Map.of(), new Environment(environment, folder, streams)))
        .settle(
            CommandLines.ofOptions(new GatewayOptions()).parseArgs(args),
            () -> all.settings(folder));
  }

  private void file(Path in, String text) throws IOException {
    Files.createDirectories(in);
    Files.writeString(in.resolve("semel.yaml"), text, StandardCharsets.UTF_8);
  }

  /**
   * @param texts in the data folder's file, in that of this folder, as a variable, as a flag
   * @param seen the default, then the result of each of them
   */
  private static Arguments option(
      String name, List<String> texts, Function<GatewaySettings, Object> what, Object... seen) {
    return Arguments.of(name, texts, what, List.of(seen));
  }

  static Stream<Arguments> options() {
    return Stream.of(
        option("port", List.of("1", "2", "3", "4"), GatewaySettings::port, 4438, 1, 2, 3, 4),
        option(
            "operation",
            List.of("a", "b", "c", "d"),
            s -> s.rules().operation().name(),
            "http",
            "a",
            "b",
            "c",
            "d"),
        option(
            "timeout",
            List.of("1s", "2s", "3s", "4s"),
            s -> s.limits().timeout(),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(4)),
        option(
            "grace",
            List.of("1s", "2s", "3s", "4s"),
            s -> s.shutdown().grace(),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(4)),
        option(
            "max-request",
            List.of("1KiB", "2KiB", "3KiB", "4KiB"),
            s -> s.rules().maxRequestBytes(),
            1 << 20,
            1024,
            2048,
            3072,
            4096),
        option(
            "require-key",
            List.of("true", "false", "TRUE", "false"),
            s -> s.rules().keyRule(),
            KeyRule.OPTIONAL,
            KeyRule.REQUIRED,
            KeyRule.OPTIONAL,
            KeyRule.REQUIRED,
            KeyRule.OPTIONAL),
        option(
            "methods",
            List.of("put", "PUT,DELETE", "POST,PUT", "PATCH"),
            s -> s.rules().methods(),
            Set.of("POST", "PATCH"),
            Set.of("PUT"),
            Set.of("PUT", "DELETE"),
            Set.of("POST", "PUT"),
            Set.of("PATCH")),
        option(
            "path",
            List.of("/a", "/a,/b", "/c,d", "/d"),
            GatewaySettings::paths,
            List.of(),
            List.of("/a"),
            List.of("/a", "/b"),
            List.of("/c,d"),
            List.of("/d")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("options")
  void flagsComeBeforeVariablesBeforeFilesBeforeDefaults(
      String name, List<String> texts, Function<GatewaySettings, Object> what, List<Object> seen)
      throws IOException {
    assertThat(what.apply(settings())).isEqualTo(seen.get(0));

    file(folder.resolve("data"), "gateway.%s: %s%n".formatted(name, texts.get(0)));
    assertThat(what.apply(settings())).isEqualTo(seen.get(1));

    file(folder, "gateway.%s: %s%n".formatted(name, texts.get(1)));
    assertThat(what.apply(settings())).isEqualTo(seen.get(2));

    String variable = "SEMEL_GATEWAY_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    environment.put(variable, texts.get(2));
    assertThat(what.apply(settings())).isEqualTo(seen.get(3));

    assertThat(what.apply(settings("--" + name + "=" + texts.get(3)))).isEqualTo(seen.get(4));
    environment.put(variable, "");
    assertThat(what.apply(settings())).as("a variable that is empty").isEqualTo(seen.get(2));
  }

  @Test
  void ofOptionsThatExcludeEachOtherTheNearestDecides() throws IOException {
    file(folder, "gateway.key-pointer: /id\ngateway.generate-key: true\n");
    assertThat(settings().rules().keySource())
        .isEqualTo(new KeySource.Body(JsonPointer.parse("/id")));
    assertThat(settings().rules().keyRule()).isEqualTo(KeyRule.GENERATED);

    environment.put("SEMEL_GATEWAY_KEY_HEADER", "X-Key");
    environment.put("SEMEL_GATEWAY_REQUIRE_KEY", "false");
    assertThat(settings().rules().keySource())
        .isEqualTo(new KeySource.Header("X-Key", KeySyntax.LENIENT));
    assertThat(settings().rules().keyRule()).isEqualTo(KeyRule.GENERATED);

    GatewaySettings flags = settings("--key-content", "--require-key");
    assertThat(flags.rules().keySource()).isEqualTo(new KeySource.Content());
    assertThat(flags.rules().keyRule()).isEqualTo(KeyRule.REQUIRED);
  }

  @Test
  void whatIsGivenOftenIsKeptInItsOrder() {
    GatewaySettings settings =
        settings("--path", "/a", "--path", "/b", "--fingerprint-header", "X-A", "--strict-keys");
    assertThat(settings.paths()).containsExactly("/a", "/b");
    assertThat(settings.rules().fingerprintHeaders()).containsExactly("X-A");
    assertThat(settings.rules().keySource())
        .isEqualTo(new KeySource.Header(HttpHeader.KEY, KeySyntax.STRICT));
  }

  /** Variables that a cluster sets for a service of that name. */
  @Test
  void variablesOfOthersAreNotOurs() {
    environment.put("SEMEL_GATEWAY_SERVICE_HOST", "10.0.0.1");
    assertThat(settings().host()).isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SEMEL_GATEWAY_PORT           | tcp://10.0.0.1:4438     | SEMEL_GATEWAY_PORT: ",
        "SEMEL_GATEWAY_PORT           | 99999                   | --port by SEMEL_GATEWAY_PORT",
        "SEMEL_GATEWAY_TIMEOUT        | soon                    | SEMEL_GATEWAY_TIMEOUT: ",
        "SEMEL_GATEWAY_PUBLIC         | perhaps                 | SEMEL_GATEWAY_PUBLIC: ",
        "SEMEL_GATEWAY_PROFILE        | nope                    | --profile by SEMEL_GATEWAY_PROFILE",
        "SEMEL_GATEWAY_MAX_REQUEST    | lots                    | --max-request by SEMEL_GATEWAY_MAX_REQUEST",
        "SEMEL_GATEWAY_KEY_HEADER     | X-Key                   | mutually exclusive",
        "SEMEL_GATEWAY_UPSTREAM       | http://u:secret@host    | --upstream by SEMEL_GATEWAY_UPSTREAM",
        "SEMEL_GATEWAY_UPSTREAM_CA    | none.pem                | can't be read",
        "SEMEL_GATEWAY_PATH           | relative                | --path by SEMEL_GATEWAY_PATH"
      })
  void aVariableThatIsWrongIsAUsageErrorThatNamesIt(String name, String value, String says) {
    Cli cli =
        new Cli(folder)
            .with("SEMEL_GATEWAY_UPSTREAM", UPSTREAM)
            .with("SEMEL_GATEWAY_KEY_POINTER", name.endsWith("KEY_HEADER") ? "/id" : "")
            .with(name, value);
    assertUsageError(cli.call("gateway"), says);
  }

  private static void assertUsageError(Cli.Result result, String says) {
    assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err())
        .contains(says)
        .doesNotContain("should not have happened", "main class", "secret", "Exception");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gateway.port: many     | semel.yaml: Invalid value for option '--port'",
        "gateway.prot: 1        | semel.yaml: there is no setting \"gateway.prot\"",
        "gateway.store: 'x:'    | semel.yaml: there is no setting \"gateway.store\"",
        "gateway.profile: nope  | semel.yaml)",
        "gateway.lease: 1       | semel.yaml: ",
        "gateway.port:          | line 1: gateway.port has no value",
        "gatewy.port: 1         | gateway.OPTION"
      })
  void aLineThatIsWrongIsAUsageErrorThatNamesTheFile(String line, String says) throws IOException {
    file(folder, line + "\n");
    assertUsageError(new Cli(folder).call("gateway", "--upstream", UPSTREAM), says);
  }

  @Test
  void theCommandListensWhereTheEnvironmentSays() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      file(folder, "gateway.upstream: " + UPSTREAM + "\ngateway.port: 99999\n");
      Cli.Result result =
          new Cli(folder).with("SEMEL_GATEWAY_PORT", port).call("gateway", "--store", "memory:");
      assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(result.err()).contains("port " + port);
    }
  }

  @Test
  void helpNeedsNothingToBeRight() throws IOException {
    file(folder, "gateway.port: many\n");
    assertThat(new Cli(folder).call("gateway", "--help").code()).isZero();
  }

  @Test
  void otherCommandsDoNotMindAndConfigShowsThem() throws IOException {
    file(folder, "gateway.port: 1\ngateway.upstream: http://u:secret@host\n");
    Cli cli =
        new Cli(folder)
            .with("SEMEL_GATEWAY_MAX_GUARDED", "7")
            .with("SEMEL_GATEWAY_SERVICE_HOST", "10.0.0.1");
    assertThat(cli.call("keys", "list").code()).isZero();
    assertThat(cli.call("config", "show", "-o", "plain").out())
        .contains("gateway.port\t1\t" + folder, "gateway.max-guarded\t7\tSEMEL_GATEWAY_MAX_GUARDED")
        .doesNotContain("secret", "service-host");
  }
}
