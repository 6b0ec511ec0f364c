package io.penstock.azure;

import com.azure.core.util.Context;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobStageBlockOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.remote.ObjectCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An upload whose parts are the uncommitted blocks of the object, which the server drops after a week. A repeated
 * completion finds the blocks committed, and commits them again.
 */
final class AzureUpload implements ObjectUpload {
    private final AzureObjectStore store;
    private final BlockBlobClient blob;
    private final int partBytes;
    private final Set<Integer> parts = ConcurrentHashMap.newKeySet();

    AzureUpload(AzureObjectStore store, BlockBlobClient blob, int partBytes) {
        this.store = store;
        this.blob = blob;
        this.partBytes = partBytes;
    }

    /** The name of a block. All names of an object's blocks are equally long. */
    private static String id(int number) {
        return Base64.getEncoder().encodeToString("%08d".formatted(number).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void part(int number, Bytes part) {
        ObjectRules.checkPart(number, part, partBytes);
        store.call(
                ObjectCall.PUT,
                () -> blob.stageBlockWithResponse(
                        new BlockBlobStageBlockOptions(id(number), AzureObjectStore.data(part)), null, Context.NONE),
                AzureObjectStore.noAnswer());
        parts.add(number);
    }

    @Override
    public void complete(int count) {
        List<String> blocks = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            if (!parts.contains(number)) {
                throw new InvalidRequestException("a part of the upload is missing; send it", "part", number);
            }
            blocks.add(id(number));
        }
        store.call(
                ObjectCall.PUT,
                () -> blob.commitBlockListWithResponse(new BlockBlobCommitBlockListOptions(blocks), null, Context.NONE),
                AzureObjectStore.noAnswer());
    }

    /** Does nothing: Azure removes no single blocks, and drops them all when the object is written or after a week. */
    @Override
    public void abort() {}
}
