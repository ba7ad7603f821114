import { join } from "node:path";
import { createFolderStorage } from "./folder-storage.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { Bucket } from "./s3-client.ts";
import type { Storage } from "./storage.ts";

/**
 * Separate stores for the community's files and for files of API clients, because each deletes files that it
 * does not reference.
 */
export const STORE_NAMES = ["files", "program-files"] as const;
type StoreName = (typeof STORE_NAMES)[number];

/** Creates the storage of that name in the bucket if there is one, else in the data folder. */
export const createStorage = (
  { s3, dataDir }: { s3: Bucket | null; dataDir: string },
  name: StoreName,
): Storage => (s3 ? openS3Storage(s3, name) : createFolderStorage(join(dataDir, name)));
