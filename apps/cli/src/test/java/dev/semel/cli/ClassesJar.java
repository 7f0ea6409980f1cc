package dev.semel.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A jar with only a manifest, which points to the classes of the tests. */
final class ClassesJar {
  private ClassesJar() {}

  static void make(Path jar) throws IOException {
    StringBuilder path = new StringBuilder();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      path.append(Path.of(entry).toUri()).append(' ');
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, path.toString().strip());
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
  }
}
