package dev.semel.servlet;

/**
 * Thrown when a handler in same-transaction mode wants to answer from another thread. The
 * transaction belongs to the request's thread, so another thread's writes would commit apart from
 * the record, and happen twice after a crash and a retry. The refusal comes before that thread
 * starts, and the transaction rolls back.
 */
public final class AsyncInTransaction extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param who the handler's name for the message
   */
  public AsyncInTransaction(String who) {
    super(
        who
            + " answers from another thread, where the transaction of same-transaction mode is not: answer in the thread that was asked, or guard it under a lease");
  }
}
