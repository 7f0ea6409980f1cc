package dev.semel.rabbitmq;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs what the client would hand to a pool on the thread that reads from the connection: our
 * callbacks only put something into a queue, and so whatever came before an answer is there when
 * the answer is.
 */
final class InlineExecutor extends AbstractExecutorService {
  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long time, TimeUnit unit) {
    return true;
  }
}
