import { type Files, openFiles } from "#backend/files";
import type { Settings } from "#community/settings";
import { openFetcher } from "#platform/fetcher";
import { openFolder } from "#platform/storage";
import type { TestDatabase } from "../../../../test/setup/database.ts";
import { fileRulesIn } from "./index.ts";

/** The file store for a test. The folder is created with the first file. */
export const testFiles = (database: TestDatabase, settings: Settings, folder: string, more: Partial<Files> = {}): Files =>
  openFiles({
    database,
    storage: openFolder(folder),
    scanner: null,
    fetcher: openFetcher({ mayConnect: (address) => address === "127.0.0.1" }),
    rules: fileRulesIn(settings),
    ...more,
  });
