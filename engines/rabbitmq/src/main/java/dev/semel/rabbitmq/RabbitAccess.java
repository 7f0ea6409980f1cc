package dev.semel.rabbitmq;

import dev.semel.InvalidInput;

/** The credentials for a RabbitMQ broker. The password never appears in any text. */
public record RabbitAccess(String user, String password) {
  public RabbitAccess {
    if (user.isEmpty()) {
      throw new InvalidInput("the user for RabbitMQ is empty: give one, such as guest");
    }
  }

  /** The default user, whom RabbitMQ accepts only from the same machine. */
  public static RabbitAccess guest() {
    return new RabbitAccess("guest", "guest");
  }

  @Override
  public String toString() {
    return "Access[" + user + ", hidden]";
  }
}
