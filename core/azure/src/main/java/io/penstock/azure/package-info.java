/** An object store on Azure Blob Storage, by Microsoft's SDK. Young: a minor version may change it. */
@NullMarked
package io.penstock.azure;

import org.jspecify.annotations.NullMarked;
