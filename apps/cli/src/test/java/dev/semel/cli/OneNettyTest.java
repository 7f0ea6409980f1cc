package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Vert.x, Lettuce and RabbitMQ's stream client each bring Netty. Its jars call each other's
 * internal methods, so a mix of versions fails at run time, and only now and then.
 */
class OneNettyTest {
  @Test
  void allJarsOfNettyHaveOneVersion() throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (URL list :
        Collections.list(
            getClass().getClassLoader().getResources("META-INF/io.netty.versions.properties"))) {
      Properties properties = new Properties();
      try (InputStream bytes = list.openStream()) {
        properties.load(bytes);
      }
      for (String name : properties.stringPropertyNames()) {
        if (name.endsWith(".version")) {
          versions.put(name, properties.getProperty(name));
        }
      }
    }
    versions.keySet().removeIf(jar -> jar.startsWith("netty-tcnative")); // is numbered apart

    assertThat(versions).containsKeys("netty-common.version", "netty-codec-http.version");
    assertThat(versions.values())
        .as("%s", versions)
        .containsOnly(versions.get("netty-common.version"));
  }
}
