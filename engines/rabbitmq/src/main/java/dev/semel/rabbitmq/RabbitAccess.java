package dev.semel.rabbitmq;

import dev.semel.InvalidInput;

/** Who we are to the broker. The password is never shown. */
public record RabbitAccess(String user, String password) {
  public RabbitAccess {
    if (user.isEmpty()) {
      throw new InvalidInput("the user for RabbitMQ is empty: give one, such as guest");
    }
  }

  /** Whom RabbitMQ lets in from the same machine, if nobody changed that. */
  public static RabbitAccess guest() {
    return new RabbitAccess("guest", "guest");
  }

  @Override
  public String toString() {
    return "Access[" + user + ", hidden]";
  }
}
