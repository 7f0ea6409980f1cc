package dev.semel.testservices;

import dev.semel.junit.TestProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/**
 * PostgreSQL's programs, unpacked from a jar on the class path, and an empty database.
 *
 * @param folder folder with both
 */
record PostgresFiles(Path folder) {
  static final String VERSION = "18.6";

  static PostgresFiles prepared() {
    return new PostgresFiles(
        PreparedFiles.once(
            PreparedFiles.folder(), "postgresql-" + VERSION, (place, last) -> prepare(place)));
  }

  /** A separate process, because the library executes files that it has just written. */
  private static void prepare(Path place) throws IOException {
    PreparedFiles.run(
        new ProcessBuilder(
                TestProcess.java(TestProcess.SMALL, PostgresFiles.class, place.toString()))
            .inheritIO());
  }

  /** Unpacks the programs, and starts and stops the server once to create the empty database. */
  public static void main(String[] arguments) throws IOException {
    PostgresFiles files = new PostgresFiles(Path.of(arguments[0]));
    EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(files.programs().toFile())
        .setDataDirectory(files.emptyDatabase())
        .setCleanDataDirectory(false)
        .start()
        .close();
  }

  /** The library unpacks into this folder if it is empty. */
  Path programs() {
    return folder.resolve("programs");
  }

  Path emptyDatabase() {
    return folder.resolve("data");
  }
}
