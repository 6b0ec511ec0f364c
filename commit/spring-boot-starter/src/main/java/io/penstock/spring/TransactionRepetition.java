package io.penstock.spring;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.task.Tasks;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs {@code @Transactional} methods of the store again after a conflict, as {@code Penstock.transact} does with its
 * body: the outermost method, until a budget is used up, with random pauses. Not those with {@link RunOnce}.
 */
final class TransactionRepetition extends StaticMethodMatcherPointcutAdvisor {
    private static final long serialVersionUID = 1;
    private static final long PAUSE_MILLIS_MAX = 10;

    private final transient AnnotationTransactionAttributeSource transactions =
            new AnnotationTransactionAttributeSource();
    private final transient Predicate<TransactionAttribute> ofStore;

    /**
     * @param ofStore whether a transaction is one of the store
     * @param store asked for at the first call, since an advisor is made before other beans, as are the settings
     * @param budget the time after which a method is not run again; zero: never
     */
    TransactionRepetition(
            Predicate<TransactionAttribute> ofStore,
            ObjectProvider<Penstock> store,
            ObjectProvider<Settings> settings,
            Duration budget) {
        this.ofStore = ofStore;
        // Around the transaction, which has the lowest precedence.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        setAdvice((MethodInterceptor) call -> repeated(call, store, settings, budget));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, type);
        return attribute != null && ofStore.test(attribute) && !isRunOnce(method, type);
    }

    private static boolean isRunOnce(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, RunOnce.class)
                || AnnotatedElementUtils.hasAnnotation(type, RunOnce.class);
    }

    private @Nullable Object repeated(
            MethodInvocation call, ObjectProvider<Penstock> store, ObjectProvider<Settings> settings, Duration budget)
            throws Throwable {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return call.proceed();
        }
        Tasks tasks = store.getObject().tasks();
        long begun = tasks.nanoTime();
        while (true) {
            try {
                // An invocation goes through its interceptors once.
                return ((ProxyMethodInvocation) call).invocableClone().proceed();
            } catch (OptimisticLockingFailureException conflict) {
                boolean again = isRepeatable(conflict) && tasks.nanoTime() - begun < budget.toNanos();
                count(again, call, settings.getObject());
                if (!again) {
                    throw conflict;
                }
            }
            tasks.sleep(Duration.ofMillis(1 + tasks.random().nextLong(PAUSE_MILLIS_MAX)));
        }
    }

    /** Counts a conflict in the store's own meters, where those of its bodies are. */
    private void count(boolean again, MethodInvocation call, Settings settings) {
        Object target = call.getThis();
        TransactionAttribute attribute =
                transactions.getTransactionAttribute(call.getMethod(), target == null ? null : target.getClass());
        ConsistencyLevel chosen = attribute == null
                ? null
                : PenstockTransactionManager.level(attribute.getIsolationLevel(), settings.level());
        String level = (chosen == null ? settings.level() : chosen).name();
        settings.meters()
                .counter(again ? "penstock.transaction.retries" : "penstock.transaction.aborts", "level", level)
                .increment();
    }

    /** Whether another run may do better: not with a value that the caller has read before. */
    private static boolean isRepeatable(OptimisticLockingFailureException failure) {
        return failure.getCause() instanceof ConflictException conflict && conflict.code() == ErrorCode.CONFLICT;
    }
}
