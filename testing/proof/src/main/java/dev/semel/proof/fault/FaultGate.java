package dev.semel.proof.fault;

import dev.semel.proof.fault.FaultProxy.Weather;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * A proxy on one process's connection to something, which can fail.
 *
 * @param to the target's name for messages
 */
public record FaultGate(String to, FaultProxy proxy) implements AutoCloseable {
  private static final int LEAST_DELAY_MILLIS = 10;
  private static final int MOST_DELAY_MILLIS = 120;

  /** Long enough that closing all connections misses none that began during the fault. */
  private static final Duration CLEARING = Duration.ofMillis(50);

  public static FaultGate before(String to, InetSocketAddress address) {
    return new FaultGate(to, FaultProxy.before(address));
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port());
  }

  void strike(ProcessFault fault, RandomGenerator random) {
    switch (fault) {
      case DELAY ->
          proxy.delay(Duration.ofMillis(random.nextInt(LEAST_DELAY_MILLIS, MOST_DELAY_MILLIS)));
      case CUT -> proxy.set(Weather.CUT);
      case SILENT -> proxy.set(Weather.SILENT);
      case LOST_ANSWERS -> proxy.set(Weather.ANSWERS_LOST);
      case KILL, STOP -> throw new IllegalArgumentException(fault + " is not of the network");
    }
  }

  /** Closes connections that lost bytes, because TCP never skips some. */
  void heal(ProcessFault fault) {
    if (fault == ProcessFault.DELAY) {
      proxy.delay(Duration.ZERO);
      return;
    }
    proxy.set(Weather.CUT);
    LockSupport.parkNanos(CLEARING.toNanos());
    proxy.set(Weather.CUT);
    proxy.set(Weather.CLEAR);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
