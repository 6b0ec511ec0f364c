/** What becomes of a request to a server that failed: what the client knows, and what it may conclude. */
package io.penstock.core.remote;
