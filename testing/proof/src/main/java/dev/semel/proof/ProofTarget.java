package dev.semel.proof;

import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.ProcessFault;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The store under proof.
 *
 * @param opener opens it in this process
 * @param processes how other processes open it; empty: they can't
 * @param noNetwork why network faults are left out; empty: they are not
 */
public record ProofTarget(
    Supplier<Store> opener, Optional<Processes> processes, Optional<String> noNetwork) {

  /**
   * How another process opens the store.
   *
   * @param main the main class, which calls {@link ProofWorker#run}
   * @param url the store's URL without a proxy; may hold a password
   * @param address the address that a proxy can replace; empty: none
   * @param through the URL with another address
   */
  public record Processes(
      Class<?> main,
      String url,
      Optional<InetSocketAddress> address,
      Function<InetSocketAddress, String> through) {
    /** Omits the URL, which may hold a password. */
    @Override
    public String toString() {
      return "Processes[" + main.getName() + "]";
    }
  }

  /** The faults of a plan that can't happen to this store, each with the reason. */
  public Map<ProcessFault, String> leftOut(List<ProcessFault> faults) {
    Map<ProcessFault, String> left = new EnumMap<>(ProcessFault.class);
    for (ProcessFault fault : faults) {
      if (processes.isEmpty()) {
        if (fault == ProcessFault.KILL || fault == ProcessFault.SILENT) {
          left.put(fault, "the store lives in this process, so its workers are threads");
        }
      } else if (fault.ofTheNetwork()) {
        noNetwork.ifPresent(why -> left.put(fault, why));
      }
    }
    return left;
  }
}
