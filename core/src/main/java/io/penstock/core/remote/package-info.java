/** The interpretation of failed requests to a server: the known facts, and the conclusions from them. */
package io.penstock.core.remote;
