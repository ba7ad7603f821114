import { PassThrough, type Readable } from "node:stream";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import type { SignedIn } from "#community/rules";
import { deleteUpload, storeUpload } from "#community/uploads";
import { invalid, Refusal } from "#platform/refusal";
import { readForm } from "../../form-body.ts";
import type { WebContext } from "../../web-context.ts";
import { assertFileLimit } from "../../server/upload-rate-limits.ts";
import { toNodeStream } from "../../server/web-streams.ts";

/** Maximum number of files in one form. */
export const MAX_FILES = 20;
const LIMITS = { fieldSize: 2_000, fields: 20, files: MAX_FILES, parts: MAX_FILES + 25, headerPairs: 50 };

/**
 * Stores the files of a form that was submitted without scripts, one after the other; returns the form with
 * their ids as `uploadId[]`. If a file is refused, all files of the form are deleted.
 * @throws the refusals of `storeUpload`
 */
export async function receiveResourceFiles(
  app: Pick<WebContext, "database" | "settings" | "limits" | "storage" | "scanner">,
  me: SignedIn,
  request: Request,
): Promise<FormData> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" } as BusboyHeaders;
  if (!headers["content-type"].startsWith("multipart/form-data") || !request.body) return readForm(request);
  const form = new FormData();
  const taken: string[] = [];
  try {
    await readMultipartForm(request.body, headers, form, async (fileName, stream) => {
      await assertFileLimit(app, me);
      const { id } = await storeUpload(app, me, fileName, stream);
      taken.push(id);
      form.append("uploadId[]", id);
    });
    if (taken.length === 0) throw invalid("file", "Choose a file first.");
    return form;
  } catch (error) {
    for (const id of taken) await deleteUpload(app, me, id);
    throw error instanceof Refusal
      ? error
      : new Refusal("invalid", "The form arrived incomplete. Send it again.");
  }
}

type StoreFile = (fileName: string, stream: Readable) => Promise<void>;

/**
 * Reads a form to its end even if a file is refused; otherwise the browser would not receive the response.
 * Aborting the form also aborts the current file, so that no file is still being received afterwards.
 */
async function readMultipartForm(
  body: ReadableStream,
  headers: BusboyHeaders,
  form: FormData,
  take: StoreFile,
): Promise<void> {
  const parser = new Busboy({ headers, limits: LIMITS });
  const faults: unknown[] = [];
  const work: Promise<void>[] = [];
  const files: PassThrough[] = [];
  parser.on("field", (name, value) => form.append(name, value));
  parser.on("file", (_name, stream, fileName) => {
    // Browsers send an empty part if no file was chosen.
    if (!fileName) return void stream.resume();
    // A refused file is not read further, but its remaining bytes must be drained, or the form never ends.
    const file = stream.pipe(new PassThrough());
    file.on("error", () => {});
    files.push(file);
    const taking = take(fileName, file).catch((error: unknown) => {
      faults.push(error);
      stream.unpipe(file);
      stream.resume();
    });
    work.push(taking);
  });
  // The parser does not destroy the streams of its files when the request is aborted.
  const brokenOff = (error: unknown) => {
    faults.unshift(error);
    for (const file of files) file.destroy(error instanceof Error ? error : undefined);
  };
  await pipeToParser(body, parser).catch(brokenOff);
  await Promise.all(work);
  if (faults.length > 0) throw faults[0];
}

const pipeToParser = (body: ReadableStream, parser: NodeJS.WritableStream) =>
  new Promise<void>((done, failed) => {
    parser.once("finish", done);
    parser.once("error", failed);
    const source = toNodeStream(body);
    source.once("error", failed);
    source.pipe(parser);
  });
