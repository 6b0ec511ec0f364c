/** Session tokens: what a session has seen and committed, as text that another client goes on from. */
@org.jspecify.annotations.NullMarked
package io.penstock.commit.token;
