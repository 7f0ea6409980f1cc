package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.CommandManual;
import dev.semel.idempotency.OperationSetting;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Everything that can be set, and where. */
class ConfigurationPageTest {
  private static final Path PAGE = Book.DOCS.resolve("reference/configuration.md");
  private static final Pattern VARIABLE = Pattern.compile("\"(SEMEL_[A-Z_]*[A-Z])\"");
  private static final Pattern OURS = Pattern.compile("(management\\.endpoint\\.)?semel\\..*");
  private static final String SPRING = "META-INF/spring-configuration-metadata.json";

  @Test
  void theTableHasEveryLineOfTheSettingsFile() {
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("`semel.yaml`", "variable", "option", "what"));
    table.append(Generated.row("---", "---", "---", "---"));
    for (String name : CommandManual.settings()) {
      table.append(row(name));
    }
    Generated.part(PAGE, "settings", table.toString());
  }

  private static String row(String name) {
    int dot = name.indexOf('.');
    CommandLine all = CommandManual.commands();
    CommandLine command = dot < 0 ? all : below(all, name.substring(0, dot));
    String spelled = name.equals("log") ? "log-events" : name.substring(dot + 1);
    OptionSpec option = command.getCommandSpec().findOption("--" + spelled);
    if (option == null) {
      option = below(all, "serve").getCommandSpec().findOption("--" + spelled);
    }
    return Generated.row(
        "`" + name + "`",
        "`SEMEL_" + name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT) + "`",
        (dot < 0 ? "" : "`" + name.substring(0, dot) + "` ") + "`" + option.longestName() + "`",
        String.join(" ", option.description()).replace("%%", "%"));
  }

  private static CommandLine below(CommandLine all, String name) {
    return Objects.requireNonNull(all.getSubcommands().get(name));
  }

  @Test
  void everyVariableIsOnThePage() {
    Set<String> used = new TreeSet<>();
    for (String module : Set.of("semel-cli", "semel-server", "semel-core")) {
      for (String source : Book.sources(module)) {
        VARIABLE.matcher(source).results().forEach(found -> used.add(found.group(1)));
      }
    }
    // Names of streams on a broker, and what our tests and launcher tell each other.
    used.removeAll(Set.of("SEMEL_JOBS", "SEMEL_NATS_BIN"));
    String page = Book.text(PAGE);
    assertThat(used).hasSizeGreaterThan(10);
    assertThat(used).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  @Test
  void theTableHasEverySettingOfAnOperation() {
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("setting", "what"));
    table.append(Generated.row("---", "---"));
    for (OperationSetting setting : OperationSetting.values()) {
      table.append(Generated.row("`" + setting.text() + "`", setting.help()));
    }
    Generated.part(PAGE, "operations", table.toString());
  }

  @Test
  void theTableHasEveryPropertyOfSpring() throws Exception {
    TreeMap<String, JsonObject> properties = new TreeMap<>();
    // Others on the class path have such a file too.
    for (URL file : Collections.list(getClass().getClassLoader().getResources(SPRING))) {
      try (InputStream in = file.openStream()) {
        JsonObject metadata = (JsonObject) Json.parse(in.readAllBytes());
        for (JsonValue each : items(metadata)) {
          JsonObject property = (JsonObject) each;
          if (OURS.matcher(text(property, "name")).matches()) {
            properties.put(text(property, "name"), property);
          }
        }
      }
    }
    assertThat(properties).containsKey("semel.store");
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("property", "type", "default", "what"));
    table.append(Generated.row("---", "---", "---", "---"));
    properties.forEach(
        (name, property) ->
            table.append(
                Generated.row(
                    "`" + name + "`",
                    type(property),
                    text(property, "defaultValue").replaceFirst("(.+)", "`$1`"),
                    text(property, "description"))));
    Generated.part(PAGE, "spring", table.toString());
  }

  /** Without packages; as code where Markdown would take {@code <...>} for a tag and hide it. */
  private static String type(JsonObject property) {
    String name = text(property, "type").replaceAll("([a-z]+\\.)+|.*\\$", "");
    return name.contains("<") ? "`" + name + "`" : name;
  }

  private static List<JsonValue> items(JsonObject metadata) {
    return ((JsonArray) Objects.requireNonNull(metadata.members().get("properties"))).items();
  }

  private static String text(JsonObject of, String member) {
    JsonValue value = of.members().get(member);
    if (value == null) {
      return "";
    }
    return value instanceof JsonString text ? text.text() : Json.write(value);
  }
}
