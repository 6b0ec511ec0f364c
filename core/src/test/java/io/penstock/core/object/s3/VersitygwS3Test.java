package io.penstock.core.object.s3;

import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import org.junit.jupiter.api.Test;

class VersitygwS3Test extends FileBackedContract {
    @Override
    Endpoint endpoint() {
        return RealServers.versitygw();
    }

    /** After a key that is escaped in a URL, versitygw begins a listing at the wrong place. */
    @Override
    @Test
    public void listsInTheOrderOfUtf8Bytes() {
        withPlainKeys(super::listsInTheOrderOfUtf8Bytes);
    }

    @Override
    @Test
    public void pagesJoinToTheWholeListing() {
        withPlainKeys(super::pagesJoinToTheWholeListing);
    }
}
