package dev.semel.journal.internal;

import dev.semel.journal.internal.SimulatedDisk.Chance;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** What the system shows of a file, what the disk holds of it, and the writes in between. */
final class SimulatedFile {
  private static final int SECTOR = 512;

  private byte[] shown = new byte[0];
  private byte[] durable = new byte[0];
  private final List<Write> unforced = new ArrayList<>();

  private static final class Write {
    private final int position;
    private final byte[] bytes;

    Write(int position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }

    byte[] into(byte[] content) {
      byte[] longer =
          position + bytes.length > content.length
              ? Arrays.copyOf(content, position + bytes.length)
              : content;
      System.arraycopy(bytes, 0, longer, position, bytes.length);
      return longer;
    }

    Write part(int from, int to) {
      return new Write(position + from, Arrays.copyOfRange(bytes, from, to));
    }

    /** What reaches the disk of it, if nobody waits for it. */
    List<Write> torn(RandomGenerator random) {
      if (random.nextBoolean()) {
        return List.of(part(0, random.nextInt(bytes.length + 1)));
      }
      List<Write> sectors = new ArrayList<>();
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + SECTOR - (position + from) % SECTOR);
        if (random.nextBoolean()) {
          sectors.add(part(from, to));
        }
        from = to;
      }
      return sectors;
    }
  }

  int size() {
    return shown.length;
  }

  void read(ByteBuffer into, int position) {
    int end = Math.min(shown.length, position + into.remaining());
    if (position < end) {
      into.put(shown, position, end - position);
    }
  }

  void write(int position, byte[] bytes) {
    Write write = new Write(position, bytes);
    shown = write.into(shown);
    unforced.add(write);
  }

  void writePart(int position, byte[] bytes, RandomGenerator random) {
    write(position, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
  }

  void force() {
    for (Write write : unforced) {
      durable = write.into(durable);
    }
    unforced.clear();
  }

  /** What was written looks so from now on, and nobody will write it to the disk any more. */
  void failToForce(RandomGenerator random) {
    reach(random);
    unforced.clear();
  }

  void losePower(RandomGenerator random) {
    reach(random);
    unforced.clear();
    shown = durable.clone();
  }

  private void reach(RandomGenerator random) {
    Chance chance = Chance.any(random);
    for (Write write : unforced) {
      if (chance.holds(random)) {
        durable = write.into(durable);
      } else if (chance == Chance.EACH && random.nextBoolean()) {
        for (Write part : write.torn(random)) {
          durable = part.into(durable);
        }
      }
    }
  }

  /** A bit turns, on disk and before everyone's eyes. */
  void damage(int position) {
    force();
    durable[position] ^= 1;
    shown = durable.clone();
  }

  /** The end is gone. */
  void cut(int size) {
    force();
    durable = Arrays.copyOf(durable, size);
    shown = durable.clone();
  }
}
