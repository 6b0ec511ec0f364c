package io.penstock.commit.plants;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * A program that runs one test method without parameters: a process of its own, with a planted bug in front of the
 * class path.
 */
public final class Trial {
    static final String FAILED = "FAILED ";
    static final String PASSED = "PASSED";

    private Trial() {}

    /** @param arguments the class and the method */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> tests = Class.forName(arguments[0]);
        Constructor<?> constructor = tests.getDeclaredConstructor();
        Method test = tests.getDeclaredMethod(arguments[1]);
        constructor.setAccessible(true);
        test.setAccessible(true);
        try {
            test.invoke(constructor.newInstance());
            System.out.println(PASSED);
        } catch (InvocationTargetException failure) {
            String why = String.valueOf(failure.getCause()).lines().findFirst().orElse("");
            System.out.println(FAILED + why);
        }
        System.exit(0); // whatever the test has left running
    }
}
