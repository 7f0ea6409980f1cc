package dev.semel.stream;

/**
 * One message on its way to a shared log. It is sent as often as it takes, always the same bytes
 * and always behind the same message, so that it is there once at most.
 *
 * @param deadline in nanoseconds; then whoever waits is told that nobody knows
 */
record Attempt(
    String id, StreamPath path, long expected, byte[] message, Round round, long deadline) {
  boolean overdue(long nanos) {
    return nanos - deadline >= 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attempt a && id.equals(a.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return path + " behind " + expected;
  }
}
