import dev.semel.Key
import dev.semel.Semel
import dev.semel.idempotency.ClaimResult
import dev.semel.idempotency.Codec
import dev.semel.idempotency.Fingerprint
import dev.semel.idempotency.KeyStrategies
import dev.semel.idempotency.OperationRules
import dev.semel.idempotency.Outcome
import dev.semel.job.CronSchedule
import dev.semel.job.Job
import dev.semel.transport.Message
import java.io.IOException
import java.sql.Connection
import java.sql.DriverManager
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** Everything that applications call, as an application calls it. FrontDoor.java is the same in Java. */
var charges = 0

fun charge(effectKey: String): String = "receipt ${++charges}"

fun chargeLater(): Nothing = throw IOException("the bank is away")

fun insert(connection: Connection, item: String): String {
  connection.createStatement().use { it.execute("INSERT INTO orders (item) VALUES ('$item')") }
  return "ordered $item"
}

fun connect(): Connection {
  val connection = DriverManager.getConnection("jdbc:sqlite:semel.db?busy_timeout=60000")
  connection.autoCommit = false
  return connection
}

fun said(outcome: Outcome<*>): String {
  return when (outcome) {
    is Outcome.Executed -> "executed ${outcome.result()}"
    is Outcome.Replayed -> "replayed ${outcome.result()}"
    is Outcome.InFlight -> "in flight"
    is Outcome.Mismatch -> "mismatch"
    is Outcome.Failed -> "failed ${outcome.failure().message()}"
    is Outcome.InDoubt -> "in doubt"
  }
}

fun main() {
  Semel.open("sqlite:semel.db").use { semel ->
    connect().use { connection ->
      connection.createStatement().use { it.execute("CREATE TABLE orders (item TEXT)") }
      connection.commit()
    }
    functions(semel)
    later(semel)
    keys(semel)
    transactions(semel)
    messages(semel)
    work(semel)
  }
}

fun pay(semel: Semel, body: ByteArray): String {
  val outcome = semel.once("payment", "order-123").request(body).run { charge(it.effectKey()) }
  return said(outcome)
}

fun functions(semel: Semel) {
  val body = byteArrayOf(1, 0)
  println(pay(semel, body))
  println(pay(semel, body))
  println(said(semel.once("payment", "order-123").request("other").run { charge("none") }))
  println(said(semel.once("mail", "m-1").perform { println("sending") }))
  println(semel.once("export", "e-1").returning(Codec.bytes()).run { body }.value().get().size)
  try {
    semel.once("payment", "order-124").run { chargeLater() }
  } catch (e: IOException) {
    println(e.message)
  }
  println(said(semel.once("payment", "order-124").waitUpTo(Duration.ofSeconds(1)).run { charge("retry") }))
  println(said(semel.idempotency().execute<String, RuntimeException>(
    Key.of("payment", "order-125"), Fingerprint.NONE, Codec.utf8()) { charge(it.effectKey()) }))
  val function = semel.idempotency().decorate(
    OperationRules.of("refund", KeyStrategies.contentHash("order"), Codec.utf8())) { request: ByteArray, execution ->
      check(request.isNotEmpty())
      charge(execution.effectKey())
    }
  println(said(function.apply("{\"order\":17}".toByteArray())))
}

fun later(semel: Semel) {
  val outcome =
    semel.once("payment", "order-126").runAsync { CompletableFuture.supplyAsync { charge(it.effectKey()) } }
  println(said(outcome.toCompletableFuture().join()))
}

fun keys(semel: Semel) {
  val seat = Key.of("seat", "12A")
  when (val claim = semel.reserve("seat", "12A")) {
    is ClaimResult.Granted -> println("reserved ${semel.reservations().confirm(seat, claim.token())}")
    else -> println(claim)
  }
  println(said(semel.once("withdrawal", "w-1").inSequence("user-4").run { charge(it.effectKey()) }))
  println(said(semel.once("withdrawal", "w-2").inSequence("user-4").call { charge(it.effectKey()) }))
}

fun transactions(semel: Semel) {
  connect().use { connection ->
    println(said(semel.once("order", "17").inTransaction(connection).run { insert(connection, "a book") }))
    connection.commit()
  }
}

fun messages(semel: Semel) {
  val message = Message.of("orders", "a pen".toByteArray())
  val ordered = semel.outbox().inTransaction(message) { insert(it, "a pen") }
  println(ordered)
  println(semel.outbox().inTransaction(listOf(Message.of("orders", "tea".toByteArray()))) { "nothing written" })
  connect().use { connection ->
    println(semel.inbox().handle(connection, "warehouse", message) { it, _ -> insert(it, "heard") })
    connection.commit()
  }
  println(semel.inbox().consumerInbox("ledger") { it, _ -> insert(it, "booked") }.take(listOf(message)))
}

fun work(semel: Semel) {
  val handled = CompletableFuture<String>()
  semel.handleJobs("exports") { job, _ -> handled.complete(job.key().id()) }
  semel.jobs().enqueue(Job.of(Key.of("exports", "customer-17"), "{}".toByteArray()))
  println("exported ${handled.join()}")
  val slot = CompletableFuture<Boolean>()
  semel.cron("tick", CronSchedule.every(Duration.ofSeconds(1))) { _, execution -> slot.complete(execution.held()) }
  println("ticked ${slot.join()}")
  println(semel.admin("ann").stats().toString().isEmpty())
}
