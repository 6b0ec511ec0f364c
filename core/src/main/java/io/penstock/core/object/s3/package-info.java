/** An object store on S3, or on a server that speaks its protocol, by the AWS SDK for Java. */
package io.penstock.core.object.s3;
