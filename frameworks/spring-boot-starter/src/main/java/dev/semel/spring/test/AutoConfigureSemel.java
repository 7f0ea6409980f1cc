package dev.semel.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Add it to a test with {@code @SpringBootTest}: it replaces the application's store with one in
 * memory, and lets you inject a {@link SemelTestFixture}. Methods then run under a lease; to test
 * what commits together, use the database itself.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(SemelTestConfiguration.class)
public @interface AutoConfigureSemel {}
