package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.FuzzTarget;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.List;

/** References to overflow objects, read with what they lead to, and the objects. */
public final class OverflowTargets {
    private static final TreeId TREE = new TreeId(5);
    private static final int BLOCK_BYTES = 64;
    private static final int PAYLOAD_BYTES = 150;

    private OverflowTargets() {}

    public static List<FuzzTarget> all() {
        MemoryObjectStore objects = new MemoryObjectStore();
        OverflowStore store = new OverflowStore(objects, new InlineTasks(1), "shop/", BLOCK_BYTES, 2 * BLOCK_BYTES);
        OverflowStore real = new OverflowStore(objects, new InlineTasks(1), "shop/");
        OverflowReference reference = store.write(TREE, new ClientId(3), Bytes.wrap(new byte[PAYLOAD_BYTES]));
        OverflowParts whole = OverflowParts.of(real.write(TREE, new ClientId(4), Bytes.wrap(new byte[PAYLOAD_BYTES])));
        OverflowParts more = new OverflowParts(
                List.of(whole.objects().getFirst(), whole.objects().getFirst()), Bytes.utf8("tail"));
        String key = store.objectKey(TREE, reference);
        byte[] object = objects.get(key).orElseThrow().body().toArray();
        return List.of(
                FuzzTarget.of(
                        "overflow-parts",
                        List.of(whole.encode().toArray(), more.encode().toArray()),
                        bytes -> {
                            OverflowParts read = OverflowParts.decode(Bytes.wrap(bytes));
                            real.read(TREE, read);
                            read(real, read);
                        }),
                FuzzTarget.of("overflow-object", List.of(object), bytes -> {
                            objects.put(key, Bytes.wrap(bytes), WriteCondition.ALWAYS);
                            store.read(TREE, OverflowParts.of(reference));
                            read(store, OverflowParts.of(reference));
                        })
                        .sealed(bytes -> seal(bytes, new OverflowName(key, reference.client(), reference.number()))));
    }

    private static void read(OverflowStore store, OverflowParts payload) throws Exception {
        var stream = store.open(TREE, payload, ByteRange.ALL, () -> {
            throw new CorruptDataException("nothing replaces it here");
        });
        if (stream.isPresent()) {
            stream.get().readAllBytes();
        }
    }

    private static byte[] seal(byte[] object, OverflowName name) {
        BlockFormat format = new BlockFormat(BLOCK_BYTES);
        for (int at = 0; at + BlockFormat.HEAD_BYTES < object.length; at += BLOCK_BYTES) {
            int data = Math.min(BLOCK_BYTES, object.length - at) - BlockFormat.HEAD_BYTES;
            format.seal(object, at, data, name, at / BLOCK_BYTES);
        }
        return object;
    }
}
