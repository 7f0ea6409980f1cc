package dev.semel.rabbitmq;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs the client's callbacks on the thread that reads from the connection, instead of in a pool.
 * Our callbacks only enqueue, so everything that arrived before an answer is in the queue when the
 * answer is there.
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
