package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;

/** A parsed SpEL expression over a method's arguments. Safe for many threads. */
final class KeyExpression {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final String where;
  private final SpelExpression expression;

  private KeyExpression(String where, SpelExpression expression) {
    this.where = where;
    this.expression = expression;
  }

  /**
   * Parses and checks an expression.
   *
   * @throws InvalidInput the expression is wrong for this method; the message says why
   */
  static KeyExpression parse(String attribute, String text, Method method) {
    String where =
        "@Idempotent(%s = \"%s\") on %s.%s"
            .formatted(
                attribute, text, method.getDeclaringClass().getSimpleName(), method.getName());
    if (text.isBlank()) {
      throw empty(where);
    }
    try {
      SpelExpression expression = new SpelExpressionParser().parseRaw(text);
      check(where, expression.getAST(), method);
      return new KeyExpression(where, expression);
    } catch (ParseException e) {
      throw new InvalidInput(
          "%s is no expression: %s; write it as in #request.orderId"
              .formatted(where, e.toDetailedString()));
    }
  }

  /** Refuses an expression that is always empty. */
  KeyExpression requireValue() {
    if (expression.getAST() instanceof Literal literal
        && "".equals(Objects.requireNonNullElse(literal.getLiteralValue().getValue(), ""))) {
      throw empty(where);
    }
    return this;
  }

  private static InvalidInput empty(String where) {
    return new InvalidInput(
        where
            + " is empty: without it nobody knows what must happen once; write it as in #request.orderId");
  }

  private static void check(String where, SpelNode node, Method method) {
    if (node instanceof CompoundExpression && node.getChildCount() > 0) {
      checkPath(where, node, method);
    }
    if (node instanceof VariableReference) {
      type(where, node, method);
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      check(where, node.getChild(i), method);
    }
  }

  /** Checks {@code #parameter.property.property} as far as the declared types are known. */
  private static void checkPath(String where, SpelNode path, Method method) {
    if (!(path.getChild(0) instanceof VariableReference)) {
      return;
    }
    Optional<Class<?>> type = type(where, path.getChild(0), method);
    for (int i = 1; i < path.getChildCount() && type.isPresent(); i++) {
      if (!(path.getChild(i) instanceof PropertyOrFieldReference property)) {
        return;
      }
      Class<?> owner = type.get();
      if (owner == Object.class || Map.class.isAssignableFrom(owner) || owner.isArray()) {
        return;
      }
      type = Optional.ofNullable(propertyType(owner, property.getName()));
      if (type.isEmpty()) {
        throw new InvalidInput(
            "%s asks for %s, but %s has no such property"
                .formatted(where, property.getName(), owner.getSimpleName()));
      }
    }
  }

  private static Optional<Class<?>> type(String where, SpelNode variable, Method method) {
    String name = variable.toStringAST().substring(1);
    if (name.equals("root") || name.equals("this")) {
      return Optional.empty();
    }
    Parameter[] parameters = method.getParameters();
    @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
    for (int i = 0; i < parameters.length; i++) {
      boolean named = names != null && name.equals(names[i]);
      if (named || name.equals("a" + i) || name.equals("p" + i)) {
        return Optional.of(parameters[i].getType());
      }
    }
    throw new InvalidInput(
        "%s asks for #%s, but the method's parameters are %s; if a name is missing, compile with -parameters"
            .formatted(where, name, names == null ? "unknown by name" : Arrays.toString(names)));
  }

  private static @Nullable Class<?> propertyType(Class<?> owner, String name) {
    var described = BeanUtils.getPropertyDescriptor(owner, name);
    if (described != null && described.getReadMethod() != null) {
      return described.getPropertyType();
    }
    Method accessor = ReflectionUtils.findMethod(owner, name);
    if (accessor != null) {
      return accessor.getReturnType();
    }
    var field = ReflectionUtils.findField(owner, name);
    return field == null ? null : field.getType();
  }

  /** Evaluates the expression for these arguments. */
  @Nullable Object value(EvaluationContext context) {
    try {
      return expression.getValue(context);
    } catch (EvaluationException e) {
      throw new InvalidInput("%s failed: %s".formatted(where, e.getMessage()));
    }
  }

  /** Evaluates the expression, and requires a non-empty text. */
  String text(EvaluationContext context) {
    Object value = value(context);
    if (value == null || value.toString().isEmpty()) {
      throw new InvalidInput(
          "%s gave %s: without it nobody knows what must happen once"
              .formatted(where, value == null ? "null" : "an empty text"));
    }
    return value.toString();
  }
}
