import { join } from "node:path";
import { openFolderStorage } from "./folder-storage.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { Bucket } from "./s3-client.ts";
import type { Storage } from "./storage.ts";

/** Separate stores: files of the community, and of API clients. Each deletes what it no longer knows. */
export const STORE_NAMES = ["files", "program-files"] as const;
type StoreName = (typeof STORE_NAMES)[number];

/** Opens the storage of that name in the bucket if there is one, else in the data folder. */
export const openStorage = (
  { s3, dataDir }: { s3: Bucket | null; dataDir: string },
  name: StoreName,
): Storage => (s3 ? openS3Storage(s3, name) : openFolderStorage(join(dataDir, name)));
