/**
 * The parts of one open store: {@link io.penstock.commit.engine.Engine} makes them, wires them together and hands them
 * on, one by one.
 */
package io.penstock.commit.engine;
