/** What the two clients of AWS have in common beyond {@code remote}; it needs the SDK. */
package io.penstock.core.remote.aws;
