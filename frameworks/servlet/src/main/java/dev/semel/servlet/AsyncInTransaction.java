package dev.semel.servlet;

/**
 * A handler that runs in the transaction of its record wanted to answer from another thread. The
 * transaction belongs to the thread that was asked: what another one writes would be committed
 * apart from the record, and be there twice after a crash and a retry. So it is refused, before
 * that thread is started, and the transaction is rolled back.
 */
public final class AsyncInTransaction extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param who the handler, for people
   */
  public AsyncInTransaction(String who) {
    super(
        who
            + " answers from another thread, where the transaction of same-transaction mode is not: answer in the thread that was asked, or guard it under a lease");
  }
}
