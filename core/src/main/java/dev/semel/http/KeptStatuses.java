package dev.semel.http;

import java.util.Set;

/**
 * Which answers are kept and repeated; after any other the key is given back and a retry runs.
 *
 * <p>Where 5xx answers are not kept, what a handler did before it failed may be done again by the
 * retry: at least once, unless the failure also undoes it, as in same-transaction mode.
 *
 * @param never not kept in any case, such as those that ask the client to come again
 */
public record KeptStatuses(boolean clientErrors, boolean serverErrors, Set<Integer> never) {
  /** Success and 4xx, but for 408, 425 and 429, which say that nothing was done yet. */
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
