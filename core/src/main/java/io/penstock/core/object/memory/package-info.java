/** Objects in the memory of one process, for tests of programs. */
package io.penstock.core.object.memory;
