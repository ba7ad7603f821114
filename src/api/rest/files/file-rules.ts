import type { FileRules } from "#baas/files";
import type { Settings } from "#community/settings";

/** File settings for apps. */
export const readFileRules = (settings: Settings) => async (): Promise<FileRules> => {
  const {
    apiDefaults,
    filesReadBy,
    filesWrittenBy,
    programFileMegabytes,
    programFilesGigabytes,
    programFilesMost,
  } = await settings.get();
  return {
    readers: filesReadBy,
    writers: filesWrittenBy,
    sharedPermissions: apiDefaults === "hosted",
    fileBytes: programFileMegabytes * 1_000_000,
    roomBytes: programFilesGigabytes * 1_000_000_000,
    most: programFilesMost,
  };
};
