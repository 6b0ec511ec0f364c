"""Durable commits of SlateDB, as its Python package does them.

slatedb_commits.py BUCKET PREFIX CALLERS KIND FLUSH

KIND is put, or serializable: a transaction that reads the key and writes it. FLUSH is a flush interval such as 100ms,
or default. The environment names the server: AWS_ENDPOINT, AWS_ALLOW_HTTP and the keys. It writes "warm" when it has
committed for some seconds, reads for how many seconds it shall measure, writes the milliseconds of each commit as a line
of JSON, and ends when another line comes.
"""

import asyncio
import json
import sys
import time

from slatedb import uniffi as slatedb

PAYLOAD = b"x" * 100
WARM_UP_SECONDS = 4


class Callers:
    def __init__(self, db, kind):
        self.db = db
        self.kind = kind
        self.since = float("inf")
        self.over = False
        self.millis = []

    async def commit(self, key):
        """Returns when the commit is durable."""
        if self.kind == "put":
            handle = await self.db.put(key, PAYLOAD)
        else:
            transaction = await self.db.begin(slatedb.IsolationLevel.SERIALIZABLE_SNAPSHOT)
            await transaction.get(key)
            await transaction.put(key, PAYLOAD)
            handle = await transaction.commit()
        await handle.await_durable()

    async def call(self, key):
        while not self.over:
            began = time.monotonic()
            await self.commit(key)
            if began >= self.since and not self.over:
                self.millis.append((time.monotonic() - began) * 1e3)


async def line():
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


async def main(bucket, prefix, callers, kind, flush):
    settings = slatedb.Settings.default()
    if flush != "default":
        settings.set("flush_interval", json.dumps(flush))
    builder = slatedb.DbBuilder(prefix, slatedb.ObjectStore.resolve(f"s3://{bucket}"))
    builder.with_settings(settings)
    db = await builder.build()
    all_callers = Callers(db, kind)
    calling = asyncio.gather(*(all_callers.call(b"k%d" % n) for n in range(int(callers))))
    await asyncio.sleep(WARM_UP_SECONDS)
    print("warm", flush=True)
    seconds = float(await line())
    all_callers.since = time.monotonic()
    await asyncio.sleep(seconds)
    all_callers.over = True
    print(json.dumps([round(millis, 3) for millis in all_callers.millis]), flush=True)
    await calling
    await line()
    await db.shutdown()


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
