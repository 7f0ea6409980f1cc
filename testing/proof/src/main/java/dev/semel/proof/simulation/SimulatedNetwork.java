package dev.semel.proof.simulation;

import dev.semel.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The network between the processes and their store: every call takes time, and may fail. */
final class SimulatedNetwork {
  private static final List<NetworkFault> FAULTS = List.of(NetworkFault.values());
  private static final long LATENCY = Duration.ofMillis(2).toNanos();

  private final SimulatedWorld world;
  private final SimulatedMachine server;
  private final long longestDelay;
  private final Map<NetworkFault, Integer> injected = new EnumMap<>(NetworkFault.class);
  private double faultsPerCall;
  private int killsLeft;

  /**
   * @param server the store's machine, which outlives every process
   * @param longestDelay the longest delay of a call, and of a frozen process
   */
  SimulatedNetwork(SimulatedWorld world, SimulatedMachine server, Duration longestDelay) {
    this.world = world;
    this.server = server;
    this.longestDelay = longestDelay.toNanos();
  }

  void weather(double faultsPerCall, int killsLeft) {
    this.faultsPerCall = faultsPerCall;
    this.killsLeft = killsLeft;
  }

  Map<NetworkFault, Integer> injected() {
    return injected;
  }

  /** A part of the store as a process sees it through the network. */
  <T> T between(SimulatedMachine process, Class<T> spi, T part) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getDeclaringClass() == Object.class
                ? method.invoke(part, arguments)
                : call(process, () -> invoke(part, method, arguments));
    return spi.cast(Proxy.newProxyInstance(spi.getClassLoader(), new Class<?>[] {spi}, handler));
  }

  @FunctionalInterface
  private interface Step {
    Object run() throws Throwable;
  }

  @SuppressWarnings("NullAway") // passes the store's answer on, also if it is null
  private static Object invoke(Object part, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(part, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Object call(SimulatedMachine process, Step step) throws Throwable {
    world.sleep(random(LATENCY));
    if (world.random().nextDouble() >= faultsPerCall) {
      return answered(step);
    }
    NetworkFault fault = draw();
    injected.merge(fault, 1, Integer::sum);
    switch (fault) {
      case SLOW_REQUEST -> world.sleep(random(longestDelay));
      case STOPPED_BEFORE -> stop(process);
      case KILLED_BEFORE -> kill(process);
      case LOST_REQUEST -> throw lost();
      case DONE_LATER -> {
        server.beside("late request", () -> later(step));
        throw lost();
      }
      case SLOW_ANSWER, STOPPED_AFTER, KILLED_AFTER, LOST_ANSWER -> {}
    }
    Object answer = answered(step);
    switch (fault) {
      case SLOW_ANSWER -> world.sleep(random(longestDelay));
      case STOPPED_AFTER -> stop(process);
      case KILLED_AFTER -> kill(process);
      case LOST_ANSWER -> throw lost();
      default -> {}
    }
    return answer;
  }

  private Object answered(Step step) throws Throwable {
    Object answer = step.run();
    world.sleep(random(LATENCY));
    return answer;
  }

  private NetworkFault draw() {
    NetworkFault fault = FAULTS.get(world.random().nextInt(FAULTS.size()));
    boolean kills = fault == NetworkFault.KILLED_BEFORE || fault == NetworkFault.KILLED_AFTER;
    if (kills && killsLeft-- <= 0) {
      return NetworkFault.LOST_ANSWER;
    }
    return fault;
  }

  private void stop(SimulatedMachine process) {
    process.freeze(random(longestDelay));
    world.sleep(0);
  }

  private void kill(SimulatedMachine process) {
    process.kill();
    world.sleep(0); // and never returns
  }

  private void later(Step step) {
    world.sleep(random(longestDelay));
    try {
      step.run();
    } catch (Throwable e) {
      // Nobody receives the answer.
    }
  }

  /** The error of a lost call, which the caller notices only after a while. */
  private StoreException lost() {
    world.sleep(random(longestDelay / 4));
    return new StoreException("the store did not answer");
  }

  private long random(long bound) {
    return world.random().nextLong(bound);
  }
}
