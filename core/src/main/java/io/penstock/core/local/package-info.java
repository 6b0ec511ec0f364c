/** Both SPIs in one directory: the embedded default, without a server. */
package io.penstock.core.local;
