package dev.semel.proof.flow;

import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.fault.SupervisedProcess;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A flow that is proved with processes of several kinds: defines them, detects when all messages
 * have arrived, and judges the result. Closing it restores the original state.
 */
public interface ProvedFlow extends AutoCloseable {
  /** A description of the flow. */
  About about();

  /** A frozen process stands still for longer than that. */
  Duration lease();

  /** The faults of the plan that can't happen here, each with the reason. */
  Map<ProcessFault, String> leftOut(List<ProcessFault> faults);

  /** The processes; those that others need at their start come first. */
  List<Member> members(ProofPlan plan);

  /**
   * Called when nobody writes any more and everything has healed. Returns when everything that was
   * written has arrived, or nothing moves any more.
   */
  void settle(ProofProgress progress);

  /** Judges the notes and everything that arrived. */
  FlowJudgement judge(List<ProcessNote> notes);

  /** Warnings about the configuration that can break the promise, one sentence each. */
  List<String> hazards();

  @Override
  void close();

  /**
   * The description of a flow.
   *
   * @param part its name in programs
   * @param title for the report
   * @param subject the system under proof, without a password
   * @param story what the run does
   * @param held the sentence when the promise held
   * @param things the plural for what can be wrong: {@code messages}
   */
  record About(
      String part, String title, String subject, String story, String held, String things) {}

  /** A process's role: servers start first and end last, writers end first. */
  enum Duty {
    SERVES,
    CARRIES,
    WRITES
  }

  /**
   * One process.
   *
   * @param main the main class, which creates a {@link SupervisedProcess}
   * @param words its orders
   * @param ways its connections, whose URLs become orders too
   */
  record Member(String name, Duty duty, Class<?> main, Map<String, String> words, List<Way> ways) {
    public Member {
      words = Map.copyOf(words);
      ways = List.copyOf(ways);
    }

    /** Omits the orders: some are URLs with passwords. */
    @Override
    public String toString() {
      return "Member[" + name + "]";
    }
  }

  /**
   * A connection of a process, which a gate can interrupt.
   *
   * @param to the target: {@code database}, or {@code broker}
   * @param word the name of the order with the URL
   * @param through the URL with another address; may hold a password
   */
  record Way(
      String to,
      String word,
      InetSocketAddress address,
      Function<InetSocketAddress, String> through) {}
}
