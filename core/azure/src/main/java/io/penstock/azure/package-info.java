/** An object store on Azure Blob Storage, by Microsoft's SDK. */
@NullMarked
package io.penstock.azure;

import org.jspecify.annotations.NullMarked;
