import { Readable } from "node:stream";
import { renderSvg } from "#platform/images";
import { uuidv7 } from "#platform/ids";
import type { Storage } from "#platform/storage";
import type { DemoPerson } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import type { SeedingContext } from "./seeding-context.ts";

/** A stored file. Width and height are set for a re-encoded picture. */
export type StoredFile = { hash: string; size: number; mime: string; width?: number; height?: number };
const PHOTO = { width: 400, height: 400 };

/** Draws and stores the portraits; returns the rows of `uploads`. */
export const storePortraits = (s: SeedingContext, storage: Storage): Promise<Row[]> =>
  mapInBatches(s.demo.people, async (demoPerson) => {
    const file = await storeFile(storage, await renderSvg(drawPortrait(s, demoPerson), PHOTO), "image/webp");
    return {
      id: uuidv7(s.at(demoPerson.joinedAgo).getTime()),
      owner_id: s.person(demoPerson.username),
      ...file,
      file_name: `${demoPerson.username}.webp`,
      ...PHOTO,
      alt: `Drawn portrait of ${demoPerson.name}`,
      attached_kind: "person",
      attached_id: s.person(demoPerson.username),
      created_at: s.at(demoPerson.joinedAgo),
    };
  });

/** Draws a portrait at its stored size: enlarging a finished picture would blur it. */
const drawPortrait = (s: SeedingContext, demoPerson: DemoPerson) =>
  Buffer.from(
    s.demo
      .drawAvatar(demoPerson.look, demoPerson.username)
      .replace('width="256" height="256"', `width="${PHOTO.width}" height="${PHOTO.height}"`),
  );

/** Stores the library's files. Returns them by the key of their resource. */
export async function storeFiles(s: SeedingContext, storage: Storage): Promise<Map<string, StoredFile>> {
  const files = s.demo.resources.flatMap(({ key, file }) => (file ? [{ key, file }] : []));
  return new Map(
    await mapInBatches(
      files,
      async ({ key, file }) =>
        [key, await storeFile(storage, Buffer.from(file.text), mimeTypeFor(file.name))] as const,
    ),
  );
}

const mimeTypeFor = (name: string) =>
  name.endsWith(".csv") ? "text/csv" : name.endsWith(".md") ? "text/markdown" : "text/plain";

async function storeFile(storage: Storage, bytes: Buffer, mime: string): Promise<StoredFile> {
  return { ...(await storage.put(Readable.from([bytes]), bytes.length)), mime };
}

/**
 * Runs `work` for four items at a time: enough to keep two cores busy without holding all pictures in
 * memory.
 */
async function mapInBatches<T, R>(all: T[], work: (it: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < all.length; i += 4) results.push(...(await Promise.all(all.slice(i, i + 4).map(work))));
  return results;
}
