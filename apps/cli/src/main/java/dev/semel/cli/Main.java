package dev.semel.cli;

/** Entry point of the process. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Environment around = Environment.ofProcess();
    int code = SemelCommand.execute(around, args);
    around.streams().flush();
    System.exit(code);
  }
}
