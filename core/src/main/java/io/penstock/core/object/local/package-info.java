/** An object store in a directory: no server, one process. */
package io.penstock.core.object.local;
