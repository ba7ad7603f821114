import type { Readable } from "node:stream";
import { FetchFault, ForbiddenAddress } from "#platform/fetcher";
import { Refusal } from "#platform/refusal";
import type { Caller, Files, Path } from "./types.ts";
import { type How, writeFile } from "./writing.ts";

/**
 * Downloads an external URL and stores it like `writeFile`.
 * @throws `invalid` for an invalid URL, one that leads to the internal network, or a failed download
 */
export async function writeFromUrl(files: Files, caller: Caller, path: Path, url: string, how: How): Promise<void> {
  let body: Readable | undefined;
  // Called only after the write permission was checked, so that a stranger cannot trigger downloads.
  const fetched = async () => {
    const file = await files.fetcher.file(url);
    body = file.body;
    return { from: file.body, length: file.length };
  };
  try {
    await writeFile(files, caller, path, fetched, how);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    body?.destroy();
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof FetchFault)) return error;
  const sentence = error instanceof ForbiddenAddress ? error.message : `There is nothing to take at that address: ${error.message}`;
  return new Refusal("invalid", sentence, { kind: "bad-url", fields: { url: sentence } });
}
