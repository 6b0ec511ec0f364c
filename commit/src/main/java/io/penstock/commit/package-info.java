/** Under construction. */
package io.penstock.commit;
