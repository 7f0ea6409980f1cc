package dev.semel.server.admin;

/** The requested entry does not exist; the message says which, and what to do. */
final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotFound(String message) {
    super(message);
  }

  static NotFound database(String what) {
    return new NotFound(
        "this server knows no %s: start it with --database and the URL of the application's database"
            .formatted(what));
  }

  static NotFound jobs() {
    return new NotFound(
        "this server knows no jobs: start it with --store and the URL of a store that has queues");
  }
}
