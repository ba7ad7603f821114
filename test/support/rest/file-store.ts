import { type Files, createFileStore } from "#baas/files";
import type { Settings } from "#community/settings";
import { createFetcher } from "#platform/fetcher";
import { createFolderStorage } from "#platform/storage";
import type { TestDatabase } from "../setup/test-database.ts";
import { readFileRules } from "../../../src/api/rest/files/index.ts";

/** Creates the file store for a test. Its folder is created with the first file. */
export const createTestFileStore = (
  database: TestDatabase,
  settings: Settings,
  folder: string,
  more: Partial<Files> = {},
): Files =>
  createFileStore({
    database,
    storage: createFolderStorage(folder),
    scanner: null,
    fetcher: createFetcher({ canConnect: (address) => address === "127.0.0.1" }),
    rules: readFileRules(settings),
    ...more,
  });
