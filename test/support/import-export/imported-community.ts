import { join } from "node:path";
import { createFolderStorage } from "#platform/storage";
import { runImport, exportCommunity } from "../../../src/community/import-export/index.ts";
import { takeSnapshot } from "../postgres/snapshot.ts";
import {
  createFileFolder,
  database,
  emptyDatabase,
  filesOfCommunity,
  restoreWithFiles,
} from "./second-community.ts";

const files = await createFileFolder();
const restoreImport = await importFullCommunity();

async function importFullCommunity() {
  const path = join(await createFileFolder(), "archive");
  await exportCommunity({ database, storage: createFolderStorage(filesOfCommunity) }, path);
  await emptyDatabase();
  const there = { database, storage: createFolderStorage(files) };
  await runImport(there, { format: "ndjson", path, check: false, by: null });
  return takeSnapshot(database);
}

/**
 * Fills the empty database with the full community after its export and import, which happen once per file.
 */
export const importIntoSecondCommunity = () => restoreWithFiles(restoreImport, files);
