import { writeSync } from "node:fs";
import type pg from "pg";
import { openDatabase } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { createFolderStorage } from "#platform/storage";
import { runImport } from "#community/import-export";

// A process that imports an archive, stops after its first batch, and waits until it is killed.
const { CONNECTION = "{}", ARCHIVE = "" } = process.env;
const runtime = { now: () => new Date("2026-05-04T09:00:00Z"), newId: uuidv7 };
const database = openDatabase({
  connection: JSON.parse(CONNECTION) as pg.PoolConfig,
  runtime,
  size: 4,
  onIdleError() {},
});
const storage = createFolderStorage(`${ARCHIVE}-storage`);
await runImport({ database, storage }, { format: "ndjson", path: ARCHIVE, check: false, by: null }, () => {
  writeSync(1, "one batch");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
