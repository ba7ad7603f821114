import { join } from "node:path";
import { openFolder } from "./folder.ts";
import { openS3 } from "./s3.ts";
import type { Bucket } from "./s3-calls.ts";
import type { Storage } from "./storage.ts";

/** What is kept apart: files of the community, and of programs. Each clears away what it no longer knows. */
export const STORES = ["files", "program-files"] as const;
type Store = (typeof STORES)[number];

/** Storage in the bucket where there is one, else in the data folder; what is under one name knows nothing of the others. */
export const openStorage = ({ s3, dataDir }: { s3: Bucket | null; dataDir: string }, name: Store): Storage =>
  s3 ? openS3(s3, name) : openFolder(join(dataDir, name));
