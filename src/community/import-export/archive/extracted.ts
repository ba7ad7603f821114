import { createReadStream, rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "#platform/refusal";
import { type Bundle, MAX_BYTES, MAX_FILES, withNamedErrors } from "./bundle-files.ts";

/** A bundle that can also hold files from inside its files. */
export type ExtractingBundle = Bundle & {
  /**
   * Stores bytes from inside a file, such as an attachment of a mail, under a name of their own. They can be
   * read like any file of the bundle until it is closed.
   * @throws `invalid` above the limits of an archive
   */
  extract: (name: string, bytes: Uint8Array) => Promise<void>;
};

/**
 * Adds extraction to a bundle. Extracted files are stored on disk, because together they may exceed the
 * memory.
 */
export function withExtraction(bundle: Bundle): ExtractingBundle {
  const files = new Map<string, { path: string; size: number }>();
  let folder: string | null = null;
  let total = 0;
  return {
    ...bundle,
    extract: async (name, bytes) => {
      if (files.has(name)) return;
      total += bytes.length;
      if (total > MAX_BYTES || files.size >= MAX_FILES)
        throw new Refusal("invalid", "This archive has more attachments than can be read.");
      folder ??= await mkdtemp(join(tmpdir(), "kith-extracted-"));
      const path = join(folder, String(files.size));
      await writeFile(path, bytes, { mode: 0o600 });
      files.set(name, { path, size: bytes.length });
    },
    read: async (name) => {
      const file = files.get(name);
      return file ? withNamedErrors(name, createReadStream(file.path)) : bundle.read(name);
    },
    sizeOf: (name) => files.get(name)?.size ?? bundle.sizeOf(name),
    close: () => {
      if (folder) rmSync(folder, { recursive: true, force: true });
      bundle.close();
    },
  };
}
