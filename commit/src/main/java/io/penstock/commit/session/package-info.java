/** Client-side consistency: what a session has written and pages do not show yet. */
package io.penstock.commit.session;
