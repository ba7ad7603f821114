import { Refusal } from "#platform/refusal";

/** Bytes that a form may have; those that carry a picture may have more. */
const FORM = 1_000_000;
const PICTURE_FORM = 9_000_000;
/** A text with a picture of up to 10 MB. */
const POST_FORM = 11_000_000;

/** Archives are written to the disk as they come. */
const ARCHIVE_FORM = 201_000_000;

const mostFor = (path: string) => {
  if (/^\/admin\/imports(\.data)?$/.test(path)) return ARCHIVE_FORM;
  if (/^\/(discussions\/[^/]+|groups\/[^/]+\/new)(\.data)?$/.test(path)) return POST_FORM;
  return /^\/(users\/edit(Photo|Header)\/|welcome(\.data)?$)/.test(path) ? PICTURE_FORM : FORM;
};
const tooLarge = (most: number) =>
  new Refusal("too-large", `That is more than ${Math.floor(most / 1_000_000)} MB, which is the most that fits here.`);

/** The same request with an end to its body. Throws the refusal `too-large` where the head already tells. */
export function bounded(request: Request): Request {
  if (request.body === null) return request;
  const most = mostFor(new URL(request.url).pathname);
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge(most);
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
