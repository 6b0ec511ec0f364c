/** Reports: what maintenance of a store did, and what a look into it found. Values without behaviour. */
package io.penstock.report;
