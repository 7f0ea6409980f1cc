package dev.semel.spring.internal;

import dev.semel.spring.Idempotent;
import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Wraps beans with {@link Idempotent} methods in the interceptor. It is the outermost one, so that
 * a {@code @Transactional} inside joins the transaction that we began.
 */
public final class IdempotentPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  private final transient BiConsumer<Class<?>, Method> prepare;

  /**
   * @param prepare reads an annotated method, and refuses an invalid one
   */
  @SuppressWarnings("this-escape") // the setters belong to the superclass, which expects them here
  public IdempotentPostProcessor(
      MethodInterceptor interceptor, BiConsumer<Class<?>, Method> prepare) {
    this.prepare = prepare;
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(true); // Spring Boot's default: beans are injected by class
    this.advisor =
        new DefaultPointcutAdvisor(
            new AnnotationMatchingPointcut(null, Idempotent.class, true), interceptor);
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    Class<?> type = AopUtils.getTargetClass(bean);
    for (Method method :
        MethodIntrospector.selectMethods(type, IdempotentPostProcessor::annotated)) {
      prepare.accept(type, method);
    }
    return super.postProcessAfterInitialization(bean, name);
  }

  private static boolean annotated(@Nullable Method method) {
    return method != null && AnnotatedElementUtils.hasAnnotation(method, Idempotent.class);
  }
}
