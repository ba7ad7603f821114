import { type Files, openFiles } from "#baas/files";
import type { Settings } from "#community/settings";
import { openFetcher } from "#platform/fetcher";
import { openFolderStorage } from "#platform/storage";
import type { TestDatabase } from "../setup/test-database.ts";
import { readFileRules } from "../../../src/api/rest/files/index.ts";

/** Opens the file store for a test. Its folder is created with the first file. */
export const openTestFiles = (
  database: TestDatabase,
  settings: Settings,
  folder: string,
  more: Partial<Files> = {},
): Files =>
  openFiles({
    database,
    storage: openFolderStorage(folder),
    scanner: null,
    fetcher: openFetcher({ canConnect: (address) => address === "127.0.0.1" }),
    rules: readFileRules(settings),
    ...more,
  });
