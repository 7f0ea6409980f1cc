package dev.semel.log.internal;

import dev.semel.internal.PrintableText;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the logger of one feature, {@code dev.semel.<feature>}, and limits repetitions. A
 * warning has a subject, such as a consumer or a loop: per subject a limited number of lines a
 * minute is written, and the next line says how many were left out. An exception comes with its
 * stack trace the first time, then once an hour.
 *
 * <p>Texts must never hold payloads, tokens or passwords; that is the caller's duty. This cuts text
 * from outside and makes it safe for terminals.
 */
public final class Log {
  /** Longest line, without the stack trace, in characters. */
  public static final int MAX_LINE = 1000;

  /** How many subjects are limited separately; further ones share one limit. */
  public static final int MAX_SUBJECTS = 1000;

  static final Duration WINDOW = Duration.ofMinutes(1);
  static final Duration STACK_EVERY = Duration.ofHours(1);

  private static final String OTHERS = "other subjects";

  private final Supplier<System.Logger> logger;
  private final int linesPerMinute;
  private final LongSupplier nanos;
  private final Map<String, Subject> subjects = new ConcurrentHashMap<>();

  Log(Supplier<System.Logger> logger, int linesPerMinute, LongSupplier nanos) {
    this.logger = logger;
    this.linesPerMinute = linesPerMinute;
    this.nanos = nanos;
  }

  /**
   * The log of a feature.
   *
   * @param feature the last part of the logger's name
   * @param linesPerMinute the most warnings a minute for each subject
   */
  public static Log of(String feature, int linesPerMinute) {
    // Looked up for each line, of which there are few: a process that logs nothing loads nothing.
    return new Log(
        () -> System.getLogger("dev.semel." + feature), linesPerMinute, System::nanoTime);
  }

  /** What was written about one subject. */
  private static final class Subject {
    private long windowEnds;
    private int written;
    private long leftOut;
    private boolean began;
    private @Nullable Class<?> stackOf;
    private long stackAgain;
  }

  /** What the limit allows for one warning. */
  private record Allowed(long leftOut, boolean stack) {}

  public void warn(String subject, String text) {
    warn(subject, () -> text);
  }

  /** For texts that are expensive to make: only texts within the limit are made. */
  public void warn(String subject, Supplier<String> text) {
    boolean unused = write(subject, text, null);
  }

  /** Returns whether the line was within the limit. */
  public boolean warn(String subject, String text, Throwable cause) {
    return write(subject, () -> text, cause);
  }

  /** Without a limit: for rare lines, such as the end of an outage. */
  public void info(String text) {
    logger.get().log(Level.INFO, line(text));
  }

  private boolean write(String subject, Supplier<String> made, @Nullable Throwable cause) {
    Allowed allowed = allow(subject, cause);
    if (allowed == null) {
      return false;
    }
    String text = made.get();
    String more =
        allowed.leftOut == 0
            ? ""
            : " (%d more like this were not logged)".formatted(allowed.leftOut);
    if (cause == null) {
      logger.get().log(Level.WARNING, line(text) + more);
    } else if (allowed.stack) {
      logger.get().log(Level.WARNING, line(text) + more, cause);
    } else {
      logger.get().log(Level.WARNING, line(text + ": " + cause) + more);
    }
    return true;
  }

  private @Nullable Allowed allow(String name, @Nullable Throwable cause) {
    long now = nanos.getAsLong();
    Subject subject = subject(name);
    synchronized (subject) {
      if (!subject.began || now - subject.windowEnds >= 0) {
        subject.began = true;
        subject.windowEnds = now + WINDOW.toNanos();
        subject.written = 0;
      }
      if (subject.written >= linesPerMinute) {
        subject.leftOut++;
        return null;
      }
      subject.written++;
      boolean stack = false;
      if (cause != null && (cause.getClass() != subject.stackOf || now - subject.stackAgain >= 0)) {
        stack = true;
        subject.stackOf = cause.getClass();
        subject.stackAgain = now + STACK_EVERY.toNanos();
      }
      long leftOut = subject.leftOut;
      subject.leftOut = 0;
      return new Allowed(leftOut, stack);
    }
  }

  private Subject subject(String name) {
    Subject known = subjects.get(name);
    if (known != null) {
      return known;
    }
    String apart = subjects.size() < MAX_SUBJECTS ? name : OTHERS;
    return Objects.requireNonNull(subjects.computeIfAbsent(apart, n -> new Subject()));
  }

  private static String line(String text) {
    String cut = text.length() <= MAX_LINE ? text : text.substring(0, MAX_LINE - 1) + "…";
    return PrintableText.safe(cut);
  }
}
