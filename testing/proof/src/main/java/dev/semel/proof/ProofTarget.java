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
 * @param processes how others do; empty where they can't
 * @param noNetwork why faults of the network are left out; empty where they are not
 */
public record ProofTarget(
    Supplier<Store> opener, Optional<Processes> processes, Optional<String> noNetwork) {

  /**
   * How a process of its own opens the store.
   *
   * @param main calls {@link ProofWorker#run}
   * @param url what it opens where nothing stands between; may hold a password
   * @param address the one that a proxy can stand before; empty where none can
   * @param through the URL by way of another address
   */
  public record Processes(
      Class<?> main,
      String url,
      Optional<InetSocketAddress> address,
      Function<InetSocketAddress, String> through) {
    /** Never the URL. */
    @Override
    public String toString() {
      return "Processes[" + main.getName() + "]";
    }
  }

  /** The faults of a plan that this store can't have, each with the reason. */
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
