import { join } from "node:path";
import { openFolder } from "./folder.ts";
import { openS3 } from "./s3.ts";
import type { Bucket } from "./s3-calls.ts";
import type { Storage } from "./storage.ts";

/** Separate stores: files of the community, and of API clients. Each deletes what it no longer knows. */
export const STORES = ["files", "program-files"] as const;
type Store = (typeof STORES)[number];

/** Opens the storage of that name in the bucket if there is one, else in the data folder. */
export const openStorage = ({ s3, dataDir }: { s3: Bucket | null; dataDir: string }, name: Store): Storage =>
  s3 ? openS3(s3, name) : openFolder(join(dataDir, name));
