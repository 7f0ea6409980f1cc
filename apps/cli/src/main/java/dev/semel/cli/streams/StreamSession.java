package dev.semel.cli.streams;

import dev.semel.cli.prove.StreamsWorker;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.flow.ProcessNotes;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.StreamClient;
import java.util.concurrent.atomic.AtomicLong;

/**
 * State that all parts of a proof's client share.
 *
 * @param done number of acknowledged entries
 */
public record StreamSession(
    WorkerOrders orders, StreamClient client, ProcessNotes notes, AtomicLong done) {
  public DurableStream stream(String name) {
    return client.stream(StreamsWorker.path(orders.text("run"), name)).as(ContentType.JSON);
  }
}
