package dev.semel.cli.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.cli.Console;
import dev.semel.cli.Environment;
import dev.semel.cli.StandardStreams;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.cli.run.OutOfTime;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchSenderTest {
  private static final StreamPath PATH = new StreamPath("a");
  private static final ContentType TEXT = ContentType.parse("text/plain");

  private final MemoryStreams engine = new MemoryStreams(InstantSource.system());
  private final Losing losing = new Losing(engine);

  @BeforeEach
  void create() {
    OpenStreams.get(engine.create(CreateRequest.of(PATH, TEXT)));
  }

  private BatchSender sender(boolean remote, String producer, Duration timeout) {
    PrintStream nowhere =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    StandardStreams streams =
        new StandardStreams(InputStream.nullInputStream(), nowhere, nowhere, "");
    Console console = new Console(new Environment(Map.of(), Path.of(""), streams));
    return new BatchSender(
        new OpenStreams(losing, remote), PATH, TEXT, producer, new RetryPeriod(console, timeout));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String all() {
    StreamResult.ToRead data = OpenStreams.get(engine.read(PATH, new ReadFrom.Start(), 1000));
    return new String(((StreamResult.Data) data).slice().body(), StandardCharsets.UTF_8);
  }

  @Test
  void batchWhoseAnswerWasLostIsThereOnce() {
    BatchSender sender = sender(true, "", Duration.ofMinutes(1));
    losing.answers = 3;
    assertThat(sender.send(bytes("one "), false)).isEqualTo(new Offset(4));
    losing.answers = 1;
    assertThat(sender.send(bytes("two "), false)).isEqualTo(new Offset(8));
    losing.answers = 1;
    assertThat(sender.send(bytes("three"), true)).isEqualTo(new Offset(13));

    assertThat(all()).isEqualTo("one two three");
    assertThat(losing.answers).isZero();
  }

  @Test
  void whoeverCanNeverKnowSaysSo() {
    BatchSender sender = sender(true, "", Duration.ofMillis(20));
    sender.send(bytes("one "), false);
    losing.answers = Integer.MAX_VALUE;

    assertThatThrownBy(() -> sender.send(bytes("two"), false))
        .isInstanceOf(OutOfTime.class)
        .hasMessageContaining("1 batches are there; whether the next one is, nobody knows");
  }

  @Test
  void engineInThisProcessThatFailedIsNotAskedAgain() {
    BatchSender sender = sender(false, "", Duration.ofMinutes(1));
    losing.answers = 1;

    assertThatThrownBy(() -> sender.send(bytes("x"), false))
        .isInstanceOf(StoreException.class)
        .isNotInstanceOf(OutOfTime.class);
  }

  @Test
  void batchOfAnotherUnderTheSameNameIsNotTakenForOurs() {
    BatchSender sender = sender(true, "importer", Duration.ofMinutes(1));
    append("theirs", new ProducerTuple("importer", 0, 0));

    assertThatThrownBy(() -> sender.send(bytes("ours"), false))
        .isInstanceOf(BatchSender.Refused.class)
        .hasMessageContaining("someone else appends as the producer importer");
    assertThat(all()).isEqualTo("theirs");
  }

  @Test
  void nameOfOurOwnThatWasLostIsReplaced() {
    BatchSender sender = sender(true, "", Duration.ofMinutes(1));
    sender.send(bytes("one "), false);
    append("theirs ", new ProducerTuple(sender.producer(), 1, 0));

    sender.send(bytes("two"), false);

    assertThat(all()).isEqualTo("one theirs two");
  }

  private void append(String text, ProducerTuple tuple) {
    StreamResult.ToAppend answer =
        OpenStreams.get(engine.append(PATH, AppendRequest.of(TEXT, bytes(text)).by(tuple)));
    assertThat(answer).isInstanceOf(StreamResult.Appended.class);
  }

  /** Executes calls, and loses the next answers to appends. */
  private static final class Losing implements Streams {
    private final Streams engine;
    private int answers;

    Losing(Streams engine) {
      this.engine = engine;
    }

    @Override
    public void append(List<Submission> batch) {
      batch.forEach(
          each -> {
            StreamResult.ToAppend answer =
                OpenStreams.get(engine.append(each.path(), each.request()));
            if (answers > 0) {
              answers--;
              each.failed(new StoreException("the answer was lost"));
            } else {
              each.answered(answer);
            }
          });
    }

    @Override
    public CompletionStage<StreamResult.ToCreate> create(CreateRequest request) {
      return engine.create(request);
    }

    @Override
    public CompletionStage<StreamResult.ToDelete> delete(StreamPath path) {
      return engine.delete(path);
    }

    @Override
    public CompletionStage<StreamResult.ToRead> read(StreamPath path, ReadFrom from, int maxBytes) {
      return engine.read(path, from, maxBytes);
    }

    @Override
    public CompletionStage<StreamResult.ToHead> head(StreamPath path) {
      return engine.head(path);
    }

    @Override
    public Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake) {
      return engine.await(path, beyond, wake);
    }

    @Override
    public CompletionStage<Boolean> touch(StreamPath path) {
      return engine.touch(path);
    }

    @Override
    public CompletionStage<List<StreamResult.Producer>> producers(StreamPath path) {
      return engine.producers(path);
    }

    @Override
    public CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch) {
      return engine.fence(path, id, managed, epoch);
    }

    @Override
    public CompletionStage<List<StreamHead>> list(String prefix, String after, int limit) {
      return engine.list(prefix, after, limit);
    }

    @Override
    public CompletionStage<Integer> sweep() {
      return engine.sweep();
    }

    @Override
    public void close() {
      engine.close();
    }
  }
}
