package io.penstock.core.object.s3;

import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;

class MinioS3Test extends FileBackedContract {
    @Override
    Endpoint endpoint() {
        return RealServers.minio();
    }
}
