package dev.semel.cli;

/** Where the process starts. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Surroundings around = Surroundings.ofProcess();
    int code = Semel.execute(around, args);
    around.streams().flush();
    System.exit(code);
  }
}
