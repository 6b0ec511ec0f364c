/** Under construction. */
package io.penstock.btree;
