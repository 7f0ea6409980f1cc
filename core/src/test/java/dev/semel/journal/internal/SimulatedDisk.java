package dev.semel.journal.internal;

import dev.semel.journal.JournalException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A disk in memory that keeps only what it must: after a power failure, each write that was not
 * forced is there, lost or torn, independently of the others, and so is each file made, renamed or
 * deleted since the folder was forced. A killed process loses nothing. After a failed force, data
 * looks written and is not, as on Linux.
 */
public final class SimulatedDisk implements JournalDisk {
  /** The machine stops here. */
  public static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final int NEVER = Integer.MAX_VALUE;

  /** In any folder, by any name. */
  public static final Predicate<String> ALL = name -> true;

  private final RandomGenerator random;
  private final Predicate<String> forced;
  private Map<String, SimulatedFile> names = new TreeMap<>();
  private final Map<String, SimulatedFile> durableNames = new HashMap<>();
  private final List<Runnable> unforcedNames = new ArrayList<>();
  private int stepsToCrash = NEVER;
  private int stepsToError = NEVER;
  private boolean locked;
  public long usable = Long.MAX_VALUE;

  /**
   * @param forced of which files a force does something; the folder's name is empty
   */
  public SimulatedDisk(RandomGenerator random, Predicate<String> forced) {
    this.random = random;
    this.forced = forced;
  }

  public void crashAfter(int steps) {
    stepsToCrash = steps;
  }

  public void failAfter(int steps) {
    stepsToError = steps;
  }

  public boolean hasCrashed() {
    return stepsToCrash < 0;
  }

  public boolean hasFailed() {
    return stepsToError < 0;
  }

  /** The process is gone, and with it what it meant to do. */
  public void kill() {
    stepsToCrash = NEVER;
    stepsToError = NEVER;
    locked = false;
  }

  public void losePower() {
    kill();
    List<SimulatedFile> files = new ArrayList<>(names.values());
    durableNames.values().stream().filter(file -> !files.contains(file)).forEach(files::add);
    files.forEach(file -> file.losePower(random));
    Chance chance = Chance.any(random);
    unforcedNames.forEach(
        change -> {
          if (chance.holds(random)) {
            change.run();
          }
        });
    unforcedNames.clear();
    names = new TreeMap<>(durableNames);
  }

  /** All writes, none, or each with its own chance. */
  enum Chance {
    ALL,
    NOTHING,
    EACH;

    static Chance any(RandomGenerator random) {
      return values()[random.nextInt(values().length)];
    }

    boolean holds(RandomGenerator random) {
      return this == ALL || (this == EACH && random.nextBoolean());
    }
  }

  /** A crash comes before a step or after it, but before its answer. */
  private void step(Runnable effect, Runnable failure) throws IOException {
    if (hasCrashed()) {
      throw new Crash();
    }
    if (stepsToCrash-- == 0) {
      if (random.nextBoolean()) {
        effect.run();
      }
      throw new Crash();
    }
    if (stepsToError != NEVER && stepsToError-- == 0) {
      failure.run();
      throw new IOException("the disk failed");
    }
    effect.run();
  }

  private void changeNames(Runnable now, Runnable onDisk) throws IOException {
    step(
        () -> {
          now.run();
          unforcedNames.add(onDisk);
        },
        () -> {});
  }

  @Override
  public Closeable lock() {
    if (locked) {
      throw new JournalException.InUse("locked");
    }
    locked = true;
    return () -> locked = false;
  }

  @Override
  public JournalDisk folder(String name) {
    return new Folder(name + "/");
  }

  @Override
  public List<String> list() {
    return names.keySet().stream().filter(name -> name.indexOf('/') < 0).toList();
  }

  /** Files of this disk whose names begin alike. A crash meets all of it at the same moment. */
  private final class Folder implements JournalDisk {
    private final String prefix;

    Folder(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public Closeable lock() {
      throw new UnsupportedOperationException("only the disk itself is locked");
    }

    @Override
    public JournalDisk folder(String name) {
      return new Folder(prefix + name + "/");
    }

    @Override
    public List<String> list() {
      return names.keySet().stream()
          .filter(name -> name.startsWith(prefix))
          .map(name -> name.substring(prefix.length()))
          .toList();
    }

    @Override
    public File open(String name) throws IOException {
      return SimulatedDisk.this.open(prefix + name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      SimulatedDisk.this.rename(prefix + from, prefix + to);
    }

    @Override
    public void delete(String name) throws IOException {
      SimulatedDisk.this.delete(prefix + name);
    }

    @Override
    public void forceFolder() throws IOException {
      SimulatedDisk.this.forceFolder();
    }

    @Override
    public long usableBytes() {
      return usable;
    }

    @Override
    public String where(String name) {
      return SimulatedDisk.this.where(prefix + name);
    }
  }

  @Override
  public File open(String name) throws IOException {
    if (!names.containsKey(name)) {
      SimulatedFile file = new SimulatedFile();
      changeNames(() -> names.put(name, file), () -> durableNames.put(name, file));
    }
    return new Opened(name, content(name));
  }

  /** What the system shows of a file; also for tests that damage it. */
  SimulatedFile content(String name) {
    SimulatedFile file = names.get(name);
    if (file == null) {
      throw new IllegalStateException("no file " + name);
    }
    return file;
  }

  @Override
  public void rename(String from, String to) throws IOException {
    SimulatedFile file = content(from);
    changeNames(
        () -> {
          names.remove(from);
          names.put(to, file);
        },
        () -> {
          durableNames.remove(from);
          durableNames.put(to, file);
        });
  }

  @Override
  public void delete(String name) throws IOException {
    if (names.containsKey(name)) {
      changeNames(() -> names.remove(name), () -> durableNames.remove(name));
    }
  }

  @Override
  public void forceFolder() throws IOException {
    step(
        () -> {
          if (forced.test("")) {
            unforcedNames.forEach(Runnable::run);
            unforcedNames.clear();
          }
        },
        () -> {});
  }

  @Override
  public long usableBytes() {
    return usable;
  }

  @Override
  public String where(String name) {
    return "simulated/" + name;
  }

  private final class Opened implements File {
    private final String name;
    private final SimulatedFile file;

    Opened(String name, SimulatedFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void read(ByteBuffer into, long position) {
      file.read(into, (int) position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.get(bytes);
      step(
          () -> file.write((int) position, bytes),
          () -> file.writePart((int) position, bytes, random));
    }

    @Override
    public void force() throws IOException {
      step(
          () -> {
            if (forced.test(name)) {
              file.force();
            }
          },
          () -> file.failToForce(random));
    }

    @Override
    public void close() {}
  }
}
