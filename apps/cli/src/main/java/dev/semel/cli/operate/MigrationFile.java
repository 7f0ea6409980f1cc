package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.internal.Migration;
import dev.semel.admin.internal.MigrationReport;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * The progress of a migration between two stores, in the data folder, so that a killed run
 * continues there. Replaced as a whole. Only its owner may read it, because it names keys. A
 * completed run deletes it.
 */
final class MigrationFile {
  private static final int NAME_LENGTH = 16;
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String CURSOR = "cursor";
  private static final String DIFFERING_KEYS = "differing_keys";

  private final Path file;
  private final String from;
  private final String to;

  MigrationFile(Path data, String from, String to) {
    String name = Ids.sha256Hex((from + "\n" + to).getBytes(StandardCharsets.UTF_8));
    this.file = data.resolve("migrations").resolve(name.substring(0, NAME_LENGTH) + ".json");
    this.from = from;
    this.to = to;
  }

  /** Empty: there was no such run, it is complete, or its file can't be read. */
  Optional<Migration.Place> read() {
    try {
      if (Json.parse(Files.readAllBytes(file)) instanceof JsonObject saved
          && text(saved, FROM).equals(from)
          && text(saved, TO).equals(to)) {
        return Optional.of(
            new Migration.Place(text(saved, CURSOR), account(saved), differing(saved)));
      }
      return Optional.empty();
    } catch (IOException | InvalidInput e) {
      return Optional.empty();
    }
  }

  void write(Migration.Place place) {
    String text =
        MigrationView.members(place.account())
            .with(FROM, from)
            .with(TO, to)
            .with(CURSOR, place.cursor())
            .with(DIFFERING_KEYS, place.differing().stream().map(JsonValue::of).toList())
            .write();
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Path beside = Files.createTempFile(file.toAbsolutePath().getParent(), ".semel-", ".place");
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new StoreException("where the migration is can't be written down: " + e, e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new StoreException("the migration is done, but %s stays: %s".formatted(file, e), e);
    }
  }

  private static MigrationReport account(JsonObject saved) {
    return new MigrationReport(
        number(saved, "read"),
        number(saved, "copied"),
        number(saved, "updated"),
        number(saved, "already_there"),
        number(saved, "newer_there"),
        number(saved, "differing"),
        number(saved, "ended"));
  }

  private static List<String> differing(JsonObject saved) {
    return saved.get(DIFFERING_KEYS).orElseThrow(MigrationFile::unreadable)
            instanceof JsonArray array
        ? array.items().stream()
            .map(item -> item instanceof JsonString string ? string.text() : "")
            .toList()
        : List.of();
  }

  private static String text(JsonObject saved, String name) {
    if (saved.get(name).orElse(null) instanceof JsonString string) {
      return string.text();
    }
    throw unreadable();
  }

  private static long number(JsonObject saved, String name) {
    if (saved.get(name).orElse(null) instanceof JsonNumber number) {
      return number.value().longValue();
    }
    throw unreadable();
  }

  private static InvalidInput unreadable() {
    return new InvalidInput("no place of a migration");
  }
}
