package dev.semel.cli.run;

import dev.semel.internal.ClaimingProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Finds the processes of this host that records name. */
public final class RunningProcess {
  /** Linux has the host's name here; a lookup in DNS can take long. */
  private static final Path LINUX_NAME = Path.of("/proc/sys/kernel/hostname");

  /** A process's start is counted from the boot, whose time moves when the clock is corrected. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private RunningProcess() {}

  static ClaimingProcess describe(ProcessHandle process) {
    return new ClaimingProcess(
        host(), process.pid(), process.info().startInstant().orElse(Instant.EPOCH));
  }

  /** The process that claimed a key, if it is of this host, and it or one of its group lives. */
  public static Optional<ClaimingProcess> living(String requestId) {
    return ClaimingProcess.in(requestId).filter(found -> found.isOn(host()) && lives(found));
  }

  /** As long as one of its group lives, no other process gets its number. */
  private static boolean lives(ClaimingProcess claimant) {
    boolean another =
        ProcessHandle.of(claimant.pid()).filter(each -> !isSame(each, claimant)).isPresent();
    return !another && isThere(claimant.pid());
  }

  private static boolean isSame(ProcessHandle process, ClaimingProcess claimant) {
    Instant started = process.info().startInstant().orElse(claimant.started());
    return Duration.between(started, claimant.started()).abs().compareTo(TOLERANCE) <= 0;
  }

  private static boolean isThere(long pid) {
    try {
      return new ProcessBuilder(
                  "/bin/sh", "-c", SupervisorPipe.script("lives.sh"), "sh", Long.toString(pid))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true; // unknown, so nothing runs beside it
    }
  }

  private static String host() {
    try {
      return Files.readString(LINUX_NAME).strip();
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "unnamed";
      }
    }
  }
}
