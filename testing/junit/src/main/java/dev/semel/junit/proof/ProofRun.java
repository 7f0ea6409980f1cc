package dev.semel.junit.proof;

/** What a test of the second ring asks before it begins: from which seed, and how much. */
public final class ProofRun {
  /** The first seed of a run; {@code ./proof --seed} sets it. */
  public static final String SEED = "semel.proof.seed";

  /** Whether there is time for the larger volume; {@code ./proof --long} sets it. */
  public static final String LONG = "semel.proof.long";

  private ProofRun() {}

  /** A seed that no earlier run had, unless one was given. Tests publish it as {@code seed}. */
  public static long seed() {
    return Long.getLong(SEED, System.nanoTime());
  }

  /**
   * How much of something: only the volume depends on it, never what is checked.
   *
   * @param usual so that all parts together end within 90 minutes on two cores
   * @param night for a run that has the night
   */
  public static int volume(int usual, int night) {
    return Boolean.getBoolean(LONG) ? night : usual;
  }
}
