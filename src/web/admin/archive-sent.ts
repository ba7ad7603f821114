import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { uuidv7 } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { readForm } from "../form-body.ts";

/** Bytes that an archive may have which is sent through the page. */
export const MOST_ARCHIVE = 200_000_000;
const LIMITS = { fieldSize: 2_000, fields: 20, files: 1, fileSize: MOST_ARCHIVE, parts: 25, headerPairs: 50 };

/** As many letters as a disk takes, whatever alphabet they are of: most have 255 bytes for a name. */
const MOST_LETTERS = 55;

/** A name that can stand on any disk, with its letters and its ending: by that some formats tell what is in it. */
function plain(name: string): string {
  const said = basename(name.replaceAll("\\", "/"))
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "_");
  const ending = /(?:\.[a-z0-9]{1,10}){1,2}$/i.exec(said)?.[0] ?? "";
  const stem = Array.from(said.slice(0, said.length - ending.length).replace(/^[._]+|[._]+$/g, ""));
  return (stem.slice(0, MOST_LETTERS).join("") || "archive") + ending;
}

/**
 * The form of the imports page. Its archive goes straight to the disk, below `folder`, and stands in the form as
 * `path` and `fileName`. Throws the refusals `too-large` and `invalid`; then nothing of it is left.
 */
export async function archiveSent(request: Request, folder: string): Promise<FormData> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" } as BusboyHeaders;
  if (!headers["content-type"].startsWith("multipart/form-data") || !request.body) return readForm(request);
  const place = join(folder, uuidv7());
  const form = new FormData();
  const writing: Promise<unknown>[] = [];
  try {
    const parser = new Busboy({ headers, limits: LIMITS });
    parser.on("field", (name, value) => form.append(name, value));
    parser.on("file", (_name, stream, fileName) => {
      // A browser sends an empty part where no file was chosen.
      if (!fileName) return void stream.resume();
      const name = plain(fileName);
      form.set("path", join(place, name));
      form.set("fileName", name);
      // What breaks off does so before anybody listens, or long before anybody waits for it: neither may end the process.
      stream.on("error", () => {});
      const work = written(stream, place, name);
      work.catch(() => {});
      writing.push(work);
    });
    await pipeline(Readable.fromWeb(request.body as never), parser);
    await Promise.all(writing);
    return form;
  } catch (error) {
    await Promise.allSettled(writing);
    await rm(place, { recursive: true, force: true });
    throw error instanceof Refusal ? error : new Refusal("invalid", "That form arrived broken. Please send it again.");
  }
}

async function written(stream: NodeJS.ReadableStream & { truncated?: boolean }, place: string, name: string) {
  await mkdir(place, { recursive: true });
  await pipeline(stream, createWriteStream(join(place, name), { flags: "wx" }));
  if (stream.truncated) throw new Refusal("too-large", `An archive that is sent may have ${MOST_ARCHIVE / 1_000_000} MB.`);
}
