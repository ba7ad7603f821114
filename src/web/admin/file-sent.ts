import { Readable } from "node:stream";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { type Path, pathOf, writeFile } from "#backend/files";
import { invalid, Refusal } from "#platform/refusal";
import { readForm } from "../form-body.ts";
import type { House } from "../house.ts";
import { THE_HOUSE } from "./file-verbs.ts";

const MOST_AT_ONCE = 20;
const LIMITS = { fieldSize: 2_000, fields: 20, files: MOST_AT_ONCE, parts: MOST_AT_ONCE + 25, headerPairs: 50 };

/**
 * The form of the page of files. Files in it go straight into this directory as they come, and replace what is
 * there where a field before them says `overwrite`; `sent` in the form that is returned says how many there were. Throws what
 * `writeFile` throws; those that came before the one that was refused stay.
 */
export async function filesOfProgramsSent(house: House, directory: Path, request: Request): Promise<FormData> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" } as BusboyHeaders;
  if (!headers["content-type"].startsWith("multipart/form-data") || !request.body) return readForm(request);
  const form = new FormData();
  let sent = 0;
  await read(request.body, headers, form, async (fileName, from) => {
    const path = pathOf([...directory, fileName.replace(/^.*[/\\]/, "").trim()].join("/"));
    const how = form.get("overwrite") === null ? "new" : "replace";
    await writeFile(house.files, THE_HOUSE, path, async () => ({ from, length: null }), how).catch(besideTheField);
    sent++;
  });
  if (sent === 0) throw invalid("file", "Choose a file first.");
  form.set("sent", String(sent));
  return form;
}

/** What is wrong with a file stands beside the field in which it was chosen. */
function besideTheField(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Refusal("invalid", error.message, { fields: { file: error.message } });
}

type Take = (fileName: string, stream: Readable) => Promise<void>;

/** Reads a form to its end, also where one of its files is refused: the answer is to be heard. */
async function read(body: ReadableStream, headers: BusboyHeaders, form: FormData, take: Take): Promise<void> {
  const parser = new Busboy({ headers, limits: LIMITS });
  const streams: Readable[] = [];
  const kept: Promise<unknown>[] = [];
  let fault: unknown = null;
  const failed = (error: unknown) => void (fault ??= error);
  parser.on("field", (name, value) => form.append(name, value));
  parser.on("file", (_name, part, fileName) => {
    const stream = part as Readable;
    stream.on("error", () => {});
    // A browser sends an empty part where no file was chosen.
    if (!fileName || fault) return void stream.resume();
    streams.push(stream);
    // Its bytes have been read when the next one comes, and it may be written down after that one.
    kept.push(
      take(fileName, stream).catch((error: unknown) => {
        failed(error);
        stream.resume();
      }),
    );
  });
  await arrived(body, parser).catch(() => {
    failed(new Refusal("invalid", "That form arrived broken. Please send it again."));
    // The parser tells none of its files that there is no more to come.
    for (const stream of streams) stream.destroy(new Error("the form broke off"));
  });
  await Promise.all(kept);
  if (fault) throw fault;
}

const arrived = (body: ReadableStream, parser: NodeJS.WritableStream) =>
  new Promise<void>((done, failed) => {
    parser.once("finish", done);
    parser.once("error", failed);
    const source = Readable.fromWeb(body as never);
    source.once("error", failed);
    source.pipe(parser);
  });
