/** Support for all clients of AWS beyond {@code remote}; it needs the SDK. */
package io.penstock.core.remote.aws;
