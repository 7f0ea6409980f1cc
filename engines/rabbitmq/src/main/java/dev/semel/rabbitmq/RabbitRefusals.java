package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Reads the broker's errors; their codes are defined by the protocol. */
final class RabbitRefusals {
  static final int NOT_FOUND = 404;

  private RabbitRefusals() {}

  /** The broker's text; empty: none. */
  static String text(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthenticationFailureException || cause instanceof SSLException) {
        return String.valueOf(cause.getMessage());
      }
      if (cause instanceof ShutdownSignalException signal) {
        Method reason = signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
          return close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyText() : "";
      }
    }
    return "";
  }

  /** The broker's code; 0: none, because the broker is gone. */
  static int code(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ShutdownSignalException signal
          && signal.getReason() instanceof AMQP.Channel.Close close) {
        return close.getReplyCode();
      }
    }
    return 0;
  }
}
