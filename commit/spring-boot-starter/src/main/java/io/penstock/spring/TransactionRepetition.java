package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.core.ConflictException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Runs {@code @Transactional} methods of a store again after a conflict, as {@code Penstock.transact} does with its
 * body: those for which its manager has begun a transaction, until they have committed it or a budget is used up, with
 * random pauses. Not those with {@link RunOnce}, nor what such a method is called by.
 */
final class TransactionRepetition extends StaticMethodMatcherPointcutAdvisor {
    private static final long serialVersionUID = 1;
    private static final long PAUSE_MILLIS_MAX = 10;

    private final transient AnnotationTransactionAttributeSource transactions =
            new AnnotationTransactionAttributeSource();
    private final transient ObjectProvider<BeanFactoryTransactionAttributeSourceAdvisor> within;

    /**
     * @param within the advisor of transactions, just around which this one is
     * @param budget the time after which a method is not run again; zero: never
     */
    TransactionRepetition(ObjectProvider<BeanFactoryTransactionAttributeSourceAdvisor> within, Duration budget) {
        this.within = within;
        setAdvice((MethodInterceptor) call -> run(call, budget));
    }

    @Override
    public int getOrder() {
        int order = within.stream().mapToInt(Ordered::getOrder).min().orElse(Ordered.LOWEST_PRECEDENCE);
        return Math.max(order, Ordered.HIGHEST_PRECEDENCE + 1) - 1;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, type);
        return attribute != null && (mayBegin(attribute) || isRunOnce(method, type));
    }

    private static boolean mayBegin(TransactionAttribute attribute) {
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRED,
                    TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                    TransactionDefinition.PROPAGATION_NESTED -> true;
            default -> false;
        };
    }

    private static boolean isRunOnce(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(AopUtils.getMostSpecificMethod(method, type), RunOnce.class)
                || AnnotatedElementUtils.hasAnnotation(type, RunOnce.class);
    }

    private @Nullable Object run(MethodInvocation call, Duration budget) throws Throwable {
        if (isRunOnce(call.getMethod(), type(call))) {
            Attempt.setAllLast();
            return call.proceed();
        }
        Attempt first = null;
        while (true) {
            Attempt attempt = new Attempt(null);
            Penstock store;
            try (attempt) {
                // An invocation goes through its interceptors once.
                return ((ProxyMethodInvocation) call).invocableClone().proceed();
            } catch (OptimisticLockingFailureException | ConflictException conflict) {
                store = attempt.store();
                if (store == null || attempt.isLast()) {
                    throw conflict;
                }
                first = first == null ? attempt : first;
                boolean again = PenstockExceptionTranslator.mendable(conflict, store) != null
                        && store.tasks().nanoTime() - first.begunNanos() < budget.toNanos();
                attempt.count(again);
                if (!again) {
                    throw conflict;
                }
            }
            pause(store);
        }
    }

    private static void pause(Penstock store) {
        Duration pause = Duration.ofMillis(1 + store.tasks().random().nextLong(PAUSE_MILLIS_MAX));
        var unused = PenstockExceptionTranslator.translating(store, () -> {
            store.tasks().sleep(pause);
            return true;
        });
    }

    private static Class<?> type(MethodInvocation call) {
        Object target = call.getThis();
        return target == null ? call.getMethod().getDeclaringClass() : target.getClass();
    }
}
