import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { uuidv7 } from "#platform/ids";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { readForm } from "../../form-body.ts";
import { toNodeStream } from "../../server/web-streams.ts";

/** Maximum size in bytes of an archive uploaded through the page. */
export const MAX_ARCHIVE_BYTES = 200_000_000;
const LIMITS = {
  fieldSize: 2_000,
  fields: 20,
  files: 1,
  fileSize: MAX_ARCHIVE_BYTES,
  parts: 25,
  headerPairs: 50,
};

/**
 * Fields of the returned form that are only set for a received archive: a `path` sent by the client could
 * name any file on the server.
 */
const ARCHIVE_FIELDS = ["path", "fileName"];

/**
 * Maximum characters of a file name without its extension. Most file systems allow 255 bytes, and a character
 * can take four.
 */
const MAX_NAME_LENGTH = 55;

/**
 * Makes a file name safe on any file system. It keeps letters and the extension, by which some formats
 * recognize their content.
 */
function sanitizeFileName(name: string): string {
  const said = basename(name.replaceAll("\\", "/"))
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "_");
  const ending = /(?:\.[a-z0-9]{1,10}){1,2}$/i.exec(said)?.[0] ?? "";
  const stem = Array.from(said.slice(0, said.length - ending.length).replace(/^[._]+|[._]+$/g, ""));
  return (stem.slice(0, MAX_NAME_LENGTH).join("") || "archive") + ending;
}

/**
 * Reads the form of the imports page. The archive streams to disk below `folder`; the returned form has its
 * `path` and `fileName`. After a refusal, the partial file is deleted.
 * @throws `too-large`
 * @throws `invalid`
 */
export async function receiveArchive(request: Request, folder: string): Promise<FormData> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" } as BusboyHeaders;
  if (!headers["content-type"].startsWith("multipart/form-data") || !request.body)
    return readPlainForm(request);
  const place = join(folder, uuidv7());
  const form = new FormData();
  const writing: Promise<unknown>[] = [];
  try {
    const parser = new Busboy({ headers, limits: LIMITS });
    parser.on("field", (name, value) => void (ARCHIVE_FIELDS.includes(name) || form.append(name, value)));
    parser.on("file", (_name, stream, fileName) => {
      // Browsers send an empty part if no file was chosen.
      if (!fileName) return void stream.resume();
      const name = sanitizeFileName(fileName);
      form.set("path", join(place, name));
      form.set("fileName", name);
      // An aborted upload emits an error before anything listens to the stream, and rejects long before the
      // result is awaited. Unhandled, either would end the process.
      stream.on("error", () => {});
      const work = writeArchive(stream, place, name);
      work.catch(() => {});
      writing.push(work);
    });
    await pipeline(toNodeStream(request.body), parser);
    await Promise.all(writing);
    return form;
  } catch (error) {
    await Promise.allSettled(writing);
    await rm(place, { recursive: true, force: true });
    throw error instanceof Refusal
      ? error
      : new Refusal("invalid", "The form arrived incomplete. Send it again.");
  }
}

async function readPlainForm(request: Request): Promise<FormData> {
  const form = await readForm(request);
  for (const name of ARCHIVE_FIELDS) form.delete(name);
  return form;
}

async function writeArchive(
  stream: NodeJS.ReadableStream & { truncated?: boolean },
  place: string,
  name: string,
) {
  await mkdir(place, { recursive: true });
  await pipeline(stream, createWriteStream(join(place, name), { flags: "wx" }));
  if (stream.truncated)
    throw new Refusal(
      "too-large",
      msg("An uploaded archive can have at most {count} MB.", { count: MAX_ARCHIVE_BYTES / 1_000_000 }),
    );
}
