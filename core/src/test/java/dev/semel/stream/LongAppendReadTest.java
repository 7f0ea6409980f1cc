package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.internal.JournalDisk;
import dev.semel.json.internal.JsonScanner;
import dev.semel.stream.internal.MessageEnds;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An append of many messages is looked at once, however many readers it is cut for. */
final class LongAppendReadTest {
  private static final long SEED = 20261118;
  private static final StreamPath PATH = new StreamPath("long");
  private static final int MESSAGES = 200_000;
  private static final int PIECE = 16 << 10;

  @TempDir Path folder;

  private final AtomicLong bytesRead = new AtomicLong();

  @Test
  void itIsLookedAtOnce() throws Exception {
    String message = "{\"a\":[1,\"],\\\\\\\"\"]}";
    String array = "[" + (message + ",").repeat(MESSAGES - 1) + message + "]";
    byte[] raw = array.getBytes(StandardCharsets.UTF_8);
    try (JournalStreams streams =
        JournalStreams.open(
            counting(JournalDisk.at(folder)),
            InstantSource.system(),
            JournalStreams.Settings.defaults())) {
      streams.create(CreateRequest.of(PATH, ContentType.JSON)).toCompletableFuture().join();
      streams.append(PATH, AppendRequest.of(ContentType.JSON, raw)).toCompletableFuture().join();

      bytesRead.set(0);
      DataSlice first = read(streams, new ReadFrom.Start());
      assertThat(bytesRead.get()).isBetween((long) raw.length, raw.length + 2L * PIECE);

      bytesRead.set(0);
      StringBuilder all = new StringBuilder(messages(first));
      DataSlice slice = first;
      while (!slice.upToDate()) {
        slice = read(streams, new ReadFrom.At(slice.next()));
        assertThat(slice.body()).hasSizeLessThanOrEqualTo(PIECE + 1);
        all.append(messages(slice));
      }
      assertThat(all.toString()).isEqualTo((message + ",").repeat(MESSAGES));
      assertThat(bytesRead.get()).as("no more than is given").isLessThan(raw.length);

      StreamResult.ToRead within =
          streams
              .read(PATH, new ReadFrom.At(new Offset(first.next().position() + 3)), PIECE)
              .toCompletableFuture()
              .join();
      assertThat(within).isInstanceOf(StreamResult.Malformed.class);
    }
  }

  private static DataSlice read(Streams streams, ReadFrom from) {
    StreamResult.ToRead answer = streams.read(PATH, from, PIECE).toCompletableFuture().join();
    assertThat(answer).isInstanceOf(StreamResult.Data.class);
    return ((StreamResult.Data) answer).slice();
  }

  private static String messages(DataSlice slice) {
    String body = new String(slice.body(), StandardCharsets.UTF_8);
    return body.substring(1, body.length() - 1) + ",";
  }

  /** A disk that counts, and whose files are not sent by the system. */
  private JournalDisk counting(JournalDisk disk) {
    return wrapped(
        JournalDisk.class,
        disk,
        (method, result) ->
            result instanceof JournalDisk.File file
                ? counting(file)
                : result instanceof JournalDisk within ? counting(within) : result);
  }

  private JournalDisk.File counting(JournalDisk.File file) {
    return wrapped(
        JournalDisk.File.class,
        file,
        (method, result) -> method.getName().equals("channel") ? Optional.empty() : result);
  }

  /** Changes what a call gave back. */
  @FunctionalInterface
  private interface Results {
    @Nullable Object change(Method method, @Nullable Object result);
  }

  private <T> T wrapped(Class<T> type, T real, Results results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("read")) {
                bytesRead.addAndGet(((ByteBuffer) arguments[0]).remaining());
              }
              try {
                return results.change(method, method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Test
  void messagesEndWhereTheyWereFoundToEndWhenTheyCame() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int run = 0; run < 500; run++) {
      StringBuilder array = new StringBuilder("[1");
      for (int i = random.nextInt(20); i > 0; i--) {
        array.append(" ,").append(value(random, 0));
      }
      JsonScanner.Flat flat =
          JsonScanner.flat(array.append(']').toString().getBytes(StandardCharsets.UTF_8));
      long start = random.nextInt(1_000);
      MessageEnds found = new MessageEnds(start);
      for (int at = 0; at < flat.bytes().length; ) {
        int size = Math.min(flat.bytes().length - at, 1 + random.nextInt(7));
        found.add(Arrays.copyOfRange(flat.bytes(), at, at + size), size);
        at += size;
      }
      List<Long> ends = new ArrayList<>();
      for (long at = start; (at = found.beyond(at, 1)) >= 0; ) {
        ends.add(at - start);
      }
      assertThat(ends).isEqualTo(Arrays.stream(flat.ends()).mapToObj(Long::valueOf).toList());
    }
  }

  private static String value(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 3 ? 3 : 5)) {
      case 0 -> "-1.5e3";
      case 1 -> "\"a,]}\\\\\\\"\u00fc[{\"";
      case 2 -> "null";
      case 3 -> "[" + value(random, depth + 1) + "," + value(random, depth + 1) + "]";
      default -> "{\"k,\":" + value(random, depth + 1) + ",\"l\":" + value(random, depth + 1) + "}";
    };
  }
}
