import type { Readable } from "node:stream";
import { FetchError, ForbiddenAddress } from "#platform/fetcher";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Caller, Files, FilePath } from "./types.ts";
import { type WriteMode, writeFile } from "./write-file.ts";

/**
 * Downloads a URL and stores the result like `writeFile`.
 * @throws `invalid` for an invalid URL, one in the internal network, or a failed download
 */
export async function writeFromUrl(
  files: Files,
  caller: Caller,
  path: FilePath,
  url: string,
  how: WriteMode,
): Promise<void> {
  let body: Readable | undefined;
  // Called only after the write permission has been checked, so that nobody else can cause downloads.
  const fetched = async () => {
    const file = await files.fetcher.file(url);
    body = file.body;
    return { from: file.body, length: file.length };
  };
  try {
    await writeFile(files, caller, path, fetched, how);
  } catch (error) {
    throw toRefusal(error);
  } finally {
    body?.destroy();
  }
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof FetchError)) return error;
  const sentence =
    error instanceof ForbiddenAddress
      ? error.message
      : msg("The address cannot be fetched: {reason}", { reason: error.message });
  return new Refusal("invalid", sentence, { kind: "bad-url", fields: { url: sentence } });
}
