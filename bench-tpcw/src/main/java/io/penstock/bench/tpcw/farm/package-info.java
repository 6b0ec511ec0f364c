/** Where runs happen, and the clients that run there: threads of this process, or processes of their own. */
@NullMarked
package io.penstock.bench.tpcw.farm;

import org.jspecify.annotations.NullMarked;
