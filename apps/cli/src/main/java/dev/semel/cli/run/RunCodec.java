package dev.semel.cli.run;

import dev.semel.admin.KeyRecord;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Payload;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Encodes a {@link RunResult}: exit code, then for standard output and standard error the whole
 * length, the kept length and the kept bytes. All numbers big-endian.
 */
public final class RunCodec implements Codec<RunResult> {
  public static final String TYPE = KeyRecord.COMMAND_RESULT;

  /** Bytes of a result beside those of its streams. */
  static final int OVERHEAD = Integer.BYTES + 2 * (Long.BYTES + Integer.BYTES);

  /** The record under this key does not come from a command, so there is nothing to print. */
  public static final class ForeignRecord extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignRecord(String message) {
      super(message);
    }
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public byte[] encode(RunResult result) {
    byte[] out = result.out().kept();
    byte[] err = result.err().kept();
    ByteBuffer buffer = ByteBuffer.allocate(OVERHEAD + out.length + err.length);
    buffer.putInt(result.exitCode());
    buffer.putLong(result.out().total()).putInt(out.length).put(out);
    buffer.putLong(result.err().total()).putInt(err.length).put(err);
    return buffer.array();
  }

  @Override
  public RunResult decode(byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new RunResult(buffer.getInt(), captured(buffer), captured(buffer));
    } catch (BufferUnderflowException e) {
      throw new ForeignRecord("its stored result is damaged");
    }
  }

  private static CapturedOutput captured(ByteBuffer buffer) {
    long total = buffer.getLong();
    int length = buffer.getInt();
    if (length < 0 || length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] kept = new byte[length];
    buffer.get(kept);
    return new CapturedOutput(kept, total);
  }

  @Override
  public RunResult read(Payload payload) {
    if (!payload.type().equals(TYPE)) {
      throw new ForeignRecord(
          payload.type().isEmpty()
              ? "it was completed by another program, which kept no response"
              : "it was completed by another program, with a response of the type "
                  + payload.type());
    }
    return decode(payload.bytes());
  }
}
