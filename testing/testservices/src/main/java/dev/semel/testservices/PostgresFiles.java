package dev.semel.testservices;

import dev.semel.junit.TestProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/**
 * PostgreSQL as a jar on the class path carries it, unpacked, and an empty database of it.
 *
 * @param folder where both are
 */
record PostgresFiles(Path folder) {
  static final String VERSION = "18.6";

  static PostgresFiles prepared() {
    return new PostgresFiles(
        PreparedFiles.once(
            PreparedFiles.folder(), "postgresql-" + VERSION, (place, last) -> prepare(place)));
  }

  /** In a process of its own, because the library executes what it has just written. */
  private static void prepare(Path place) throws IOException {
    PreparedFiles.run(
        new ProcessBuilder(
                TestProcess.java(TestProcess.SMALL, PostgresFiles.class, place.toString()))
            .inheritIO());
  }

  /** Unpacks it, and starts and ends it once: the folder of its database is what is wanted. */
  public static void main(String[] arguments) throws IOException {
    PostgresFiles files = new PostgresFiles(Path.of(arguments[0]));
    EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(files.programs().toFile())
        .setDataDirectory(files.emptyDatabase())
        .setCleanDataDirectory(false)
        .start()
        .close();
  }

  /** The library unpacks into it where it is empty. */
  Path programs() {
    return folder.resolve("programs");
  }

  Path emptyDatabase() {
    return folder.resolve("data");
  }
}
