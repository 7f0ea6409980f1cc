package dev.semel.testservices;

import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** The main class of a broker's process; it first formats new files. */
final class KafkaProcess {
  private KafkaProcess() {}

  /** Arguments: the configuration file, the data folder and the cluster's id. */
  public static void main(String[] arguments) {
    String configuration = arguments[0];
    if (!Files.exists(Path.of(arguments[1], "meta.properties"))) {
      String[] format = {"format", "-t", arguments[2], "-c", configuration};
      int result = StorageTool.execute(format, System.out);
      if (result != 0) {
        throw new IllegalStateException("the data folder was not made ready: " + result);
      }
    }
    Kafka.main(new String[] {configuration});
  }
}
