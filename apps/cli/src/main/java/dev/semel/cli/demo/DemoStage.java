package dev.semel.cli.demo;

import dev.semel.idempotency.spi.Store;
import dev.semel.job.spi.JobQueue;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The stage of a story.
 *
 * @param jobs on the same engine, if it has queues
 * @param folder the story's own, where it may leave files; deleted afterwards
 */
public record DemoStage(
    Store store, JobQueue jobs, Elsewhere elsewhere, Path folder, Narrator narrator) {

  /**
   * The store for a story with several processes: the same one, or a file if that is in memory.
   *
   * @param url may hold a password, so it is never on a command line
   * @param worker its {@code main} reads the URL from its standard input and calls {@link
   *     ZombieWorker#run}
   */
  public record Elsewhere(String url, Supplier<Store> opening, Class<?> worker) {
    Store open() {
      return opening.get();
    }

    /** Omits the URL. */
    @Override
    public String toString() {
      return "Elsewhere[" + worker.getSimpleName() + "]";
    }
  }
}
