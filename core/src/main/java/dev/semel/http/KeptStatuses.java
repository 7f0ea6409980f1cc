package dev.semel.http;

import java.util.Set;

/**
 * Decides which answers are kept and replayed; after any other answer the key is released and a
 * retry runs.
 *
 * <p>Where 5xx answers are not kept, the retry may repeat effects that the handler had before it
 * failed: at least once, unless the failure also undoes them, as in same-transaction mode.
 *
 * @param never statuses that are never kept, such as those that ask the client to come again
 */
public record KeptStatuses(boolean clientErrors, boolean serverErrors, Set<Integer> never) {
  /** Keeps success and 4xx except 408, 425 and 429, which say that nothing was done yet. */
  public static final KeptStatuses DEFAULT = new KeptStatuses(true, false, Set.of(408, 425, 429));

  public KeptStatuses {
    never = Set.copyOf(never);
  }

  public boolean keeps(int status) {
    if (never.contains(status)) {
      return false;
    }
    return status >= 500 ? serverErrors : status < 400 || clientErrors;
  }
}
