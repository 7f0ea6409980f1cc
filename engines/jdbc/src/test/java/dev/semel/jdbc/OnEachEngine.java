package dev.semel.jdbc;

import dev.semel.testservices.BesideOthers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a test class once on each of {@link SqlEngines}, with a separate database; its constructor
 * takes a {@link SqlUnderTest}. {@code mvn test} runs the engines without a server, {@code mvn
 * verify} the others: the root POM knows both tags.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(SqlEngines.class)
@BesideOthers
@Tag("service")
@Tag("embedded")
@Order(1) // early, because it takes longest; its engines run one after another
@interface OnEachEngine {}
