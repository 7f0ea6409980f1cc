package dev.semel.json.internal;

/** Finds text that no encoding can represent. */
public final class SurrogateCheck {
  private SurrogateCheck() {}

  /** The position of the first surrogate without its other half, or -1. */
  public static int firstLone(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
