package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A RabbitMQ server with Erlang: the installed ones, or else Debian's packages, which are
 * downloaded once per user and not installed.
 *
 * @param erlang the folder with Erlang's libraries and its virtual machine
 * @param server the folder with RabbitMQ's
 */
record RabbitInstallation(Path erlang, Path server) {
  /** RabbitMQ comes last, because a message names the last one. */
  private static final List<String> PACKAGES =
      List.of(
          "erlang-asn1",
          "erlang-base",
          "erlang-crypto",
          "erlang-eldap",
          "erlang-ftp",
          "erlang-inets",
          "erlang-mnesia",
          "erlang-os-mon",
          "erlang-parsetools",
          "erlang-public-key",
          "erlang-runtime-tools",
          "erlang-snmp",
          "erlang-ssl",
          "erlang-syntax-tools",
          "erlang-tftp",
          "erlang-tools",
          "erlang-xmerl",
          "rabbitmq-server");

  private static final String ERLANG = "usr/lib/erlang";
  private static final String SERVERS = "usr/lib/rabbitmq/lib";

  static RabbitInstallation find() {
    try {
      Path root = Path.of("/");
      if (Files.isDirectory(root.resolve(SERVERS)) && Files.isDirectory(root.resolve(ERLANG))) {
        return in(root);
      }
      String suite = DebianPackage.codename();
      return in(
          PreparedFiles.once(
              PreparedFiles.folder(),
              "rabbitmq-" + suite,
              (place, last) -> download(suite, place, last)));
    } catch (IOException e) {
      throw new UncheckedIOException("RabbitMQ's files can't be read", e);
    }
  }

  private static RabbitInstallation in(Path root) throws IOException {
    return new RabbitInstallation(
        root.resolve(ERLANG), only(root.resolve(SERVERS), "rabbitmq_server-"));
  }

  private static Path only(Path folder, String prefix) throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found
          .filter(path -> path.getFileName().toString().startsWith(prefix))
          .max(Path::compareTo)
          .orElseThrow(() -> new IllegalStateException("no " + prefix + "* in " + folder));
    }
  }

  private static void download(String suite, Path place, Path last) throws IOException {
    try (ScratchFolder scratch = new ScratchFolder("rabbitmq-package")) {
      Path files = DebianPackage.extract(PACKAGES, suite, scratch);
      Files.createDirectories(place);
      PreparedFiles.copy(files.resolve("usr"), place.resolve("usr"));
    }
    // RabbitMQ restarts Erlang by this script, which contains the path of an installation.
    Path script = place.resolve(ERLANG).resolve("bin/erl");
    Files.writeString(
        script,
        Files.readString(script)
            .replace("ROOTDIR=/usr/lib/erlang", "ROOTDIR=" + last.resolve(ERLANG)));
  }

  /** The folder with Erlang's programs. */
  Path programs() {
    try {
      return only(erlang, "erts-").resolve("bin");
    } catch (IOException e) {
      throw new UncheckedIOException("Erlang's files can't be read", e);
    }
  }

  /** The environment for its programs. */
  Map<String, String> environment() {
    return Map.of(
        "ROOTDIR", erlang.toString(),
        "BINDIR", programs().toString(),
        "EMU", "beam",
        "PROGNAME", "erl",
        "RABBITMQ_HOME", server.toString(),
        "RABBITMQ_PLUGINS_DIR", server.resolve("plugins").toString(),
        "ERL_LIBS", server.resolve("plugins").toString(),
        "PATH", erlang.resolve("bin") + ":/usr/bin:/bin");
  }
}
