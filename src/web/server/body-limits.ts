import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

/** Maximum bytes of a form without a file. */
const MAX_FORM = 1_000_000;
const MAX_WITH_FILE: [path: RegExp, most: number][] = [
  [
    new RegExp(
      String.raw`^/(users/edit(Photo|Header)/[^/]+|groups/[^/]+/manage/(cover|photo)|welcome|setup` +
        String.raw`|admin/settings)(\.data)?$`,
    ),
    9_000_000,
  ],
  // Forms with a text and a picture or file of up to 10 MB.
  [/^\/(conversations\/[^/]+|discussions\/[^/]+|groups\/[^/]+\/new)(\.data)?$/, 11_000_000],
  // Calendar files of up to 5 MB.
  [/^\/groups\/[^/]+\/events\/import(\.data)?$/, 5_100_000],
  // Files are streamed to disk, and each file has its own limit.
  [/^\/(resources\/(new\/files|[^/]+\/file)|admin\/files)(\.data)?$/, 1_050_000_000],
  // Archives are streamed to disk.
  [/^\/admin\/imports(\.data)?$/, 201_000_000],
];

/** Maximum bytes for a path. Only multipart forms can contain files. */
const maxBytesFor = (path: string, contentType: string | null) =>
  (contentType?.startsWith("multipart/form-data") &&
    MAX_WITH_FILE.find(([takes]) => takes.test(path))?.[1]) ||
  MAX_FORM;

/** Whether a form may be so large that a slow connection needs more than half a minute to send it. */
export const allowsLargeBody = ({ url, headers }: Request): boolean =>
  maxBytesFor(new URL(url).pathname, headers.get("content-type")) > LARGE_BODY;
const LARGE_BODY = 100_000_000;

const tooLarge = (most: number) =>
  new Refusal(
    "too-large",
    msg("You can send at most {count} MB here.", {
      count: Math.floor(most / 1_000_000),
    }),
  );

/**
 * Limits the body of a request.
 * @throws `too-large`: at once if content-length exceeds the limit, else while the body is read
 */
export function limitBody(request: Request): Request {
  if (request.body === null) return request;
  const most = maxBytesFor(new URL(request.url).pathname, request.headers.get("content-type"));
  const contentLength = request.headers.get("content-length");
  if (Number(contentLength ?? 0) > most) throw tooLarge(most);
  // Node reads no byte beyond content-length, and rejects requests that also state another length.
  if (contentLength !== null) return request;
  let size = 0;
  const measured = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > most) controller.error(tooLarge(most));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Request(request, { body: measured, duplex: "half" } as RequestInit);
}

/** Maximum bytes of a form that are searched for text fields, which precede its files. */
const READ_LIMIT = 300_000;

/** Reads the text fields at the beginning of a multipart form that is too large. The rest is not read. */
export async function readLeadingFields({ headers, body }: Request): Promise<FormData> {
  const form = new FormData();
  const [, boundary] =
    /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(headers.get("content-type") ?? "") ?? [];
  if (!boundary || body === null) return form;
  // The part after the last boundary may be cut, so it is skipped.
  for (const part of (await readUpTo(body, READ_LIMIT)).split(`--${boundary}`).slice(0, -1)) {
    const [, name, value] =
      /^\r\nContent-Disposition: form-data; name="([^"]*)"\r\n\r\n([^]*)\r\n$/i.exec(part) ?? [];
    if (name !== undefined && value !== undefined) form.append(name, value);
  }
  return form;
}

async function readUpTo(body: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < most;) {
    const { value } = await reader.read();
    if (!value) break;
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  return Buffer.concat(chunks).toString("utf8");
}
