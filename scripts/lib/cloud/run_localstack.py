"""Runs LocalStack's S3, SQS and KMS on the loopback interface: run_localstack.py FOLDER PORT."""

import os
import socket
import sys
import tempfile
import uuid


def reserve(port):
    reserved = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", port))
    reserved.listen(128)
    return reserved


def configure(folder, port):
    address = f"127.0.0.1:{port}"
    data = os.path.join(folder, "data")
    os.environ.update(
        SERVICES="s3,sqs,kms",
        STRICT_SERVICE_LOADING="1",
        EAGER_SERVICE_LOADING="1",
        GATEWAY_LISTEN=address,
        LOCALSTACK_HOST=address,
        SQS_ENDPOINT_STRATEGY="path",
        # Neither events nor certificates: nothing is asked of or told to anybody outside.
        DISABLE_EVENTS="1",
        SKIP_SSL_CERT_DOWNLOAD="1",
        DNS_ADDRESS="0",
        # Without these it writes to /usr/lib, /etc and the home directory.
        OVERRIDE_IN_DOCKER="0",
        FILESYSTEM_ROOT=data,
        XDG_CACHE_HOME=data,
        CONFIG_DIR=data,
    )
    tempfile.tempdir = os.path.join(data, "tmp")
    os.makedirs(tempfile.tempdir, exist_ok=True)


def take_bytes_as_names():
    """LocalStack's KMS makes identifiers of bytes, which Python has from 3.12 on."""
    if sys.version_info < (3, 12):
        of_text = uuid.uuid5
        uuid.uuid5 = lambda space, name: of_text(space, name if isinstance(name, str) else name.decode("latin-1"))


def main():
    folder, port = sys.argv[1], int(sys.argv[2])
    try:
        reserved = reserve(port)
    except OSError as error:
        sys.exit(f"port {port} cannot be had: {error.strerror}")
    configure(folder, port)
    take_bytes_as_names()

    from twisted.internet import endpoints

    # LocalStack 4.13 listens on every interface, whatever GATEWAY_LISTEN says: it gets the socket above instead.
    def adopt(reactor, _):
        return endpoints.AdoptedStreamServerEndpoint(reactor, os.dup(reserved.fileno()), socket.AF_INET)

    endpoints.TCP4ServerEndpoint = adopt

    from localstack.runtime.main import main as run

    run()


main()
