import { writeSync } from "node:fs";
import type pg from "pg";
import { openDatabase } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { openFolder } from "#platform/storage";
import { bringIn } from "#community/transfer";

// A process that imports an archive, stops after its first batch, and waits to be killed.
const { CONNECTION = "{}", ARCHIVE = "" } = process.env;
const world = { now: () => new Date("2026-05-04T09:00:00Z"), newId: uuidv7 };
const database = openDatabase({ connection: JSON.parse(CONNECTION) as pg.PoolConfig, world, size: 4, onIdleError() {} });
const storage = openFolder(`${ARCHIVE}-storage`);
await bringIn({ database, storage }, { format: "ndjson", path: ARCHIVE, check: false, by: null }, () => {
  writeSync(1, "one batch");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
