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
 * Something that is proved with processes of several kinds: what they are, when they have done all
 * there is to do, and whether that was right. Closing it leaves everything as it was found.
 */
public interface ProvedFlow extends AutoCloseable {
  /** What is proved. */
  About about();

  /** Who is stopped stands still for longer than that. */
  Duration lease();

  /** Those of these faults that can't happen here, each with the reason. */
  Map<ProcessFault, String> leftOut(List<ProcessFault> faults);

  /** The processes, those first that others need when they start. */
  List<Member> members(ProofPlan plan);

  /**
   * Nobody writes any more and all has healed. Returns when everything that was written has
   * arrived, or nothing moves any more.
   */
  void settle(ProofProgress progress);

  /** What the notes and all that arrived say together. */
  FlowJudgement judge(List<ProcessNote> notes);

  /** What about the set-up can break the promise, a sentence each. */
  List<String> hazards();

  @Override
  void close();

  /**
   * What is proved, in words.
   *
   * @param part as programs know it
   * @param title for people
   * @param subject where, without a password
   * @param story what is done there
   * @param held what is said when the promise held
   * @param things what it may be broken for: {@code messages}
   */
  record About(
      String part, String title, String subject, String story, String held, String things) {}

  /** What a process is there for: servers come first and go last, writers go first. */
  enum Duty {
    SERVES,
    CARRIES,
    WRITES
  }

  /**
   * A process.
   *
   * @param main creates a {@link SupervisedProcess}
   * @param words its orders
   * @param ways to others, whose URLs become orders too
   */
  record Member(String name, Duty duty, Class<?> main, Map<String, String> words, List<Way> ways) {
    public Member {
      words = Map.copyOf(words);
      ways = List.copyOf(ways);
    }

    /** Never the words: some are URLs. */
    @Override
    public String toString() {
      return "Member[" + name + "]";
    }
  }

  /**
   * The way of a process to something, before which a gate can stand.
   *
   * @param to what it leads to: {@code database}, or {@code broker}
   * @param word the order that names the URL
   * @param through the URL by way of another address; may hold a password
   */
  record Way(
      String to,
      String word,
      InetSocketAddress address,
      Function<InetSocketAddress, String> through) {}
}
