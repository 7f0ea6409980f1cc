package dev.semel.junit.proof;

/** The seed and volume of a second-ring test. */
public final class ProofRun {
  /** The property for the first seed of a run; {@code ./proof --seed} sets it. */
  public static final String SEED = "semel.proof.seed";

  /** The property for the larger volume; {@code ./proof --long} sets it. */
  public static final String LONG = "semel.proof.long";

  private ProofRun() {}

  /** The given seed, or a new one. Tests publish it as {@code seed}. */
  public static long seed() {
    return Long.getLong(SEED, System.nanoTime());
  }

  /**
   * Chooses a volume, which must not affect what is checked.
   *
   * @param usual a volume with which all parts together take at most 90 minutes on two cores
   * @param night the volume for a run overnight
   */
  public static int volume(int usual, int night) {
    return Boolean.getBoolean(LONG) ? night : usual;
  }
}
