package dev.semel.benchmarks;

import dev.semel.StoreException;
import dev.semel.nats.JetStreamLog;
import dev.semel.nats.StreamsSettings;
import dev.semel.stream.ContentType;
import dev.semel.stream.SharedStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import dev.semel.testservices.NatsService;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Nats;
import io.nats.client.PublishOptions;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Batches of appends to streams on JetStream against a bare publish of one message with the same
 * bytes and the same condition: eight threads, each with a separate stream or subject.
 */
@SuppressWarnings("try") // interrupting a connection while it closes is harmless
final class SharedStreamsBenchmark {
  private static final int WRITERS = 8;
  private static final int BATCH = 64;
  private static final int BYTES = 100;
  private static final double GOAL = 0.7;

  /** A subject, with the sequence of its last message. */
  private static final class Subject {
    private final String name;
    private long last;

    Subject(String name) {
      this.name = name;
    }
  }

  /**
   * A submission that stands for its batch: all of a batch are in one message, so the first answer
   * covers all.
   */
  private record One(
      StreamPath path, AppendRequest request, CompletableFuture<StreamResult.ToAppend> answer)
      implements Streams.Submission {
    @Override
    public void answered(StreamResult.ToAppend given) {
      answer.complete(given);
    }

    @Override
    public void failed(StoreException cause) {
      answer.completeExceptionally(cause);
    }
  }

  private SharedStreamsBenchmark() {}

  static void run(Findings out) throws Exception {
    try (NatsService nats = NatsService.start();
        SharedStreams streams = JetStreamLog.openStreams(StreamsSettings.parse(nats.url()));
        Connection connection = Nats.connect(nats.url())) {
      connection
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("BARE").subjects("bare.*").build());
      BlockingQueue<StreamPath> paths = new LinkedBlockingQueue<>();
      BlockingQueue<Subject> subjects = new LinkedBlockingQueue<>();
      for (int i = 0; i < WRITERS; i++) {
        StreamPath path = new StreamPath("s" + i);
        StreamResult.ToCreate unused =
            streams.create(CreateRequest.of(path, ContentType.BYTES)).toCompletableFuture().get();
        paths.add(path);
        subjects.add(new Subject("bare." + i));
      }
      JetStream bare = connection.jetStream();
      new Race(WRITERS, Thread.ofVirtual().factory(), Duration.ofSeconds(3), out)
          .run(
              "shared streams: %d appends of %d bytes".formatted(BATCH, BYTES),
              number -> append(streams, paths),
              "one JetStream message with them",
              number -> publish(bare, subjects),
              GOAL);
    }
  }

  private static void append(SharedStreams streams, BlockingQueue<StreamPath> paths)
      throws Exception {
    StreamPath path = paths.take();
    List<Streams.Submission> batch = new ArrayList<>(BATCH);
    CompletableFuture<StreamResult.ToAppend> last = new CompletableFuture<>();
    for (int i = 0; i < BATCH; i++) {
      batch.add(new One(path, AppendRequest.of(ContentType.BYTES, new byte[BYTES]), last));
    }
    streams.append(batch);
    if (!(last.get() instanceof StreamResult.Appended)) {
      throw new IllegalStateException("an append was refused");
    }
    paths.add(path);
  }

  private static void publish(JetStream bare, BlockingQueue<Subject> subjects) throws Exception {
    Subject subject = subjects.take();
    PublishOptions behind =
        PublishOptions.builder().expectedLastSubjectSequence(subject.last).build();
    subject.last = bare.publish(subject.name, new byte[BATCH * BYTES], behind).getSeqno();
    subjects.add(subject);
  }
}
