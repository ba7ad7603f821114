import type { Readable } from "node:stream";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { type FilePath, parsePath, writeFile } from "#baas/files";
import { invalid, Refusal } from "#platform/refusal";
import { readForm } from "../../form-body.ts";
import type { WebContext } from "../../web-context.ts";
import { SERVER_CALLER } from "#baas/data";
import { toNodeStream } from "../../server/web-streams.ts";

const MAX_FILES = 20;
const LIMITS = { fieldSize: 2_000, fields: 20, files: MAX_FILES, parts: MAX_FILES + 25, headerPairs: 50 };

/**
 * Reads the form of the files page. Its files stream into the directory, and replace existing ones if a
 * field before them is named `overwrite`. The returned form has their number in `sent`. If a file is
 * refused, the files before it remain stored.
 * @throws the refusals of `writeFile`
 */
export async function receiveApiFiles(
  app: Pick<WebContext, "files">,
  directory: FilePath,
  request: Request,
): Promise<FormData> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" } as BusboyHeaders;
  if (!headers["content-type"].startsWith("multipart/form-data") || !request.body) return readForm(request);
  const form = new FormData();
  let sent = 0;
  await readMultipartForm(request.body, headers, form, async (fileName, from) => {
    const path = parsePath([...directory, fileName.replace(/^.*[/\\]/, "").trim()].join("/"));
    const how = form.get("overwrite") === null ? "new" : "replace";
    await writeFile(app.files, SERVER_CALLER, path, async () => ({ from, length: null }), how).catch(
      rethrowAsFieldError,
    );
    sent++;
  });
  if (sent === 0) throw invalid("file", "Choose a file first.");
  form.set("sent", String(sent));
  return form;
}

/** Shows a file's error beside its input. */
function rethrowAsFieldError(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Refusal("invalid", error.descriptor, { fields: { file: error.descriptor } });
}

type StoreFile = (fileName: string, stream: Readable) => Promise<void>;

/**
 * Reads the form to its end even if a file is refused; otherwise the browser would not receive the response.
 */
async function readMultipartForm(
  body: ReadableStream,
  headers: BusboyHeaders,
  form: FormData,
  take: StoreFile,
): Promise<void> {
  const parser = new Busboy({ headers, limits: LIMITS });
  const streams: Readable[] = [];
  const kept: Promise<unknown>[] = [];
  let fault: unknown = null;
  const failed = (error: unknown) => void (fault ??= error);
  parser.on("field", (name, value) => form.append(name, value));
  parser.on("file", (_name, part, fileName) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser declares an older interface
    const stream = part as Readable;
    stream.on("error", () => {});
    // Browsers send an empty part if no file was chosen.
    if (!fileName || fault) return void stream.resume();
    streams.push(stream);
    // The bytes of a file are read before the next file starts; storing it may finish later.
    kept.push(
      take(fileName, stream).catch((error: unknown) => {
        failed(error);
        stream.resume();
      }),
    );
  });
  await pipeToParser(body, parser).catch(() => {
    failed(new Refusal("invalid", "The form arrived incomplete. Send it again."));
    // The parser does not destroy the streams of its files when the request is aborted.
    for (const stream of streams) stream.destroy(new Error("the form broke off"));
  });
  await Promise.all(kept);
  if (fault) throw fault;
}

const pipeToParser = (body: ReadableStream, parser: NodeJS.WritableStream) =>
  new Promise<void>((done, failed) => {
    parser.once("finish", done);
    parser.once("error", failed);
    const source = toNodeStream(body);
    source.once("error", failed);
    source.pipe(parser);
  });
