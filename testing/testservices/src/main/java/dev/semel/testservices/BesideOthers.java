package dev.semel.testservices;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Runs a parameterized class concurrently with other classes, but its tests one after another, as
 * JUnit does with plain classes here. Concurrent classes would have concurrent tests; a lock that
 * no other class takes keeps them on one thread.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = BesideOthers.OwnLock.class)
public @interface BesideOthers {
  /** A lock for this class alone. */
  final class OwnLock implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForClass(Class<?> testClass) {
      return Set.of(new Lock(testClass.getName()));
    }
  }
}
