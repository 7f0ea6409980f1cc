package dev.semel.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Beside {@code @SpringBootTest}: records are kept in memory, whatever the application's store is,
 * and a {@link SemelTestFixture} can be injected. Methods are executed under a lease then; a test
 * of what commits together takes the database itself.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(SemelTestConfiguration.class)
public @interface AutoConfigureSemel {}
