package dev.semel.kafka;

import dev.semel.StoreException;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.jspecify.annotations.Nullable;

/** Translates Kafka's exceptions. */
final class KafkaErrors {
  private KafkaErrors() {}

  /** The error of a message. */
  static PublishFailed failed(Throwable thrown, KafkaSettings settings) {
    Throwable cause = cause(thrown);
    String said = " Kafka said: " + cause.getMessage();
    return switch (cause) {
      case PublishFailed e -> e;
      case RecordTooLargeException e ->
          new PublishFailed(
              Kind.REFUSED,
              "the message is larger than the limit (max.message.bytes of the topic, max.request.size of the client): send less of it."
                  + said,
              e);
      case RecordBatchTooLargeException e ->
          new PublishFailed(Kind.REFUSED, "the message is over a limit of the topic." + said, e);
      case InvalidTopicException e ->
          new PublishFailed(Kind.REFUSED, "the destination is no topic of Kafka." + said, e);
      case AuthorizationException e ->
          new PublishFailed(
              Kind.BUSY, "we may not write there: ask for the right to (ACL)." + said, e);
      case NotEnoughReplicasException e ->
          new PublishFailed(
              Kind.BUSY, "too few replicas are there (min.insync.replicas)." + said, e);
      case ThrottlingQuotaExceededException e ->
          new PublishFailed(Kind.BUSY, "the broker's quota is used up." + said, e);
      case AuthenticationException e ->
          new PublishFailed(Kind.UNREACHABLE, notLetIn(settings, e), e);
      default ->
          new PublishFailed(
              Kind.UNREACHABLE,
              "Kafka at %s did not confirm the message within %s: it may be there or not.%s"
                  .formatted(settings.bootstrap(), settings.publishTimeout(), said),
              cause);
    };
  }

  /** The error of any other call. */
  static StoreException store(String what, Throwable thrown, KafkaSettings settings) {
    Throwable cause = cause(thrown);
    return switch (cause) {
      case StoreException e -> e;
      case AuthenticationException e -> new StoreException(notLetIn(settings, e), e);
      case AuthorizationException e ->
          new StoreException(
              "%s: we may not do that, ask for the right to (ACL). Kafka said: %s"
                  .formatted(what, e.getMessage()),
              e);
      case RetriableException e -> new StoreException(what + ". " + unreachable(settings), e);
      case ApiException e -> new StoreException(what + ". Kafka said: " + e.getMessage(), e);
      default -> new StoreException(what + ". " + unreachable(settings), cause);
    };
  }

  static String unreachable(KafkaSettings settings) {
    return "Kafka can't be reached at %s: is it there, and does it speak to us as the options say?"
        .formatted(settings.bootstrap());
  }

  private static String notLetIn(KafkaSettings settings, Exception e) {
    return "Kafka at %s does not let us in: look at the credentials and certificates in the options. It said: %s"
        .formatted(settings.bootstrap(), e.getMessage());
  }

  static Throwable cause(Throwable thrown) {
    @Nullable Throwable cause = thrown.getCause();
    return thrown instanceof ExecutionException && cause != null ? cause : thrown;
  }
}
