package dev.semel.server.http;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects a body that comes in pieces, in blocks that count in the budget before they are
 * allocated. So the counted size is the real one, however small the pieces are. For one event loop.
 */
public final class BodyBlocks {
  private static final int SECOND_BYTES = 4 << 10;
  private static final int BLOCK_BYTES = 64 << 10;

  private final MemoryBudget budget;
  private final long most;
  private final List<byte[]> blocks = new ArrayList<>();
  private int length;
  private int free;
  private long counted;

  /**
   * @param most limit of its length
   */
  public BodyBlocks(MemoryBudget budget, long most) {
    this.budget = budget;
    this.most = most;
  }

  public int length() {
    return length;
  }

  /** False: the budget has no room, and nothing more can be added. */
  public boolean add(Buffer piece) {
    int at = 0;
    while (at < piece.length()) {
      if (free == 0 && !grow(piece.length() - at)) {
        return false;
      }
      byte[] block = blocks.getLast();
      int size = Math.min(free, piece.length() - at);
      piece.getBytes(at, at + size, block, block.length - free);
      at += size;
      free -= size;
      length += size;
    }
    return true;
  }

  private boolean grow(int needed) {
    int least = blocks.isEmpty() ? 1 : blocks.size() == 1 ? SECOND_BYTES : BLOCK_BYTES;
    int wanted = Math.max(least, Math.min(needed, BLOCK_BYTES));
    int size = (int) Math.max(1, Math.min(wanted, most - length));
    if (!budget.take(size)) {
      return false;
    }
    counted += size;
    free = size;
    blocks.add(new byte[size]);
    return true;
  }

  /** The whole body, which counts until it is released. */
  public byte[] bytes() {
    byte[] all = new byte[length];
    int at = 0;
    for (int i = 0; i < blocks.size(); i++) {
      byte[] block = blocks.set(i, new byte[0]);
      int size = Math.min(block.length, length - at);
      System.arraycopy(block, 0, all, at, size);
      at += size;
    }
    return all;
  }

  /** Call it when the body is not needed any more. */
  public void release() {
    budget.letGo(counted);
    counted = 0;
    blocks.clear();
  }
}
