package io.penstock.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.ListBlobsOptions;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.remote.ObjectCall;
import io.penstock.core.remote.RequestFailure;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a container when a store is opened, and creates it if it is missing and may be created. For one thread. */
record AzureBucket(BlobContainerClient client, AzureSettings settings) {
    private static final Logger LOG = LoggerFactory.getLogger(AzureBucket.class);

    /** Returns only if the container exists. It is listed, since not all who may use it may ask for its settings. */
    void require() {
        if (exists()) {
            return;
        }
        if (!settings.createContainer()) {
            throw new InvalidRequestException(
                    ErrorCode.BUCKET_NOT_FOUND,
                    "there is no such container; create it or name another",
                    "container",
                    settings.container());
        }
        create();
    }

    private boolean exists() {
        try {
            PagedResponse<BlobItem> listed = client.listBlobs(new ListBlobsOptions().setMaxResultsPerPage(1), null)
                    .iterableByPage()
                    .iterator()
                    .next();
            if (listed.getHeaders().getValue(AzureObjectStore.REQUEST_ID) != null) {
                return true;
            }
            throw another();
        } catch (InvalidRequestException own) {
            throw own;
        } catch (RuntimeException e) {
            RequestFailure failure = AzureOutcomes.failure(e);
            if (failure.code().equals("ContainerNotFound")) {
                return false;
            }
            if (isForeign(failure, e)) {
                throw another();
            }
            throw failed(ObjectCall.READ, failure);
        }
    }

    /** Whether the answer was none of Azure's: a page for people, say. */
    private static boolean isForeign(RequestFailure failure, RuntimeException thrown) {
        return switch (failure.stage()) {
            case ANSWERED -> failure.requestId().isEmpty() && failure.status() < 500;
            case LOST -> !isOfNetwork(thrown);
            default -> false;
        };
    }

    private static boolean isOfNetwork(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof IOException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private InvalidRequestException another() {
        return new InvalidRequestException(
                ErrorCode.UNSUPPORTED_SERVER,
                "the server does not answer as Azure Blob Storage does; check the endpoint, and proxies on the way",
                "container",
                settings.container());
    }

    private void create() {
        try {
            if (client.createIfNotExistsWithResponse(null, null, Context.NONE).getValue()) {
                LOG.warn(
                        "there was no such container, and it was created; see that its name is right container={}",
                        settings.container());
            }
        } catch (RuntimeException e) {
            throw failed(ObjectCall.PUT, AzureOutcomes.failure(e));
        }
    }

    private RuntimeException failed(ObjectCall call, RequestFailure failure) {
        return AzureOutcomes.of(call, failure)
                .exception("azure", "opening of a container", failure, "container", settings.container());
    }
}
