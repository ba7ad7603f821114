import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { isSignedIn, LIMITS } from "#community/rules";
import type { Message } from "#platform/messages";
import { isSameOrigin } from "#platform/http";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import type { WebContext } from "../web-context.ts";
import { chooseLocale } from "../i18n/locales.ts";
import { resolveViewer } from "./serve-files.ts";
import { assertPictureLimit } from "./upload-rate-limits.ts";
import { storePictureFor } from "./store-picture.ts";

const MAX_CONCURRENT = 5;

/** An invalid target is treated as missing. */
const PictureTarget = z.object({ place: z.string().max(60).catch("") });

/** Translates a sentence into a locale. */
export type TranslateInto = (locale: string, message: Message) => Promise<string>;
/** Language for the response: a page's scripts send the page's language in `accept-language`. */
export const requestLocale = (request: FastifyRequest) =>
  chooseLocale(request.headers["accept-language"] ?? "");

/** Accepts pictures for texts that are being written; the body is the raw bytes. */
export async function servePictureUploads(
  server: FastifyInstance,
  app: Pick<WebContext, "database" | "settings" | "limits" | "storage" | "origin" | "now">,
  translate: TranslateInto,
) {
  const underWay = new Map<string, number>();
  await server.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    part.post("/uploads/pictures", async (request, reply) => {
      void reply.header("cache-control", "no-store");
      try {
        return await acceptPicture(request, app, underWay);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The rest of the body is read and discarded, since the client reads the response only after sending
        // the whole body.
        request.raw.resume();
        if (error.retryAfter !== undefined) void reply.header("retry-after", error.retryAfter);
        const message = await translate(requestLocale(request), error.descriptor);
        return reply.code(HTTP_STATUS[error.reason]).send({ refused: { message, reason: error.reason } });
      }
    });
  });
}

async function acceptPicture(
  request: FastifyRequest,
  app: Pick<WebContext, "database" | "settings" | "limits" | "storage" | "origin" | "now">,
  underWay: Map<string, number>,
) {
  if (!isSameOrigin(request, app.origin()))
    throw new Refusal("not-allowed", "The form did not come from this site.");
  const viewer = await resolveViewer(request, app);
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Sign in first.");
  await assertPictureLimit(app, viewer);
  const now = underWay.get(viewer.id) ?? 0;
  if (now >= MAX_CONCURRENT)
    throw new Refusal("too-many", "At most five uploads at a time.", { retryAfter: 5 });
  underWay.set(viewer.id, now + 1);
  try {
    const bytes = await readBytes(
      request.body instanceof Readable ? request.body : undefined,
      Number(request.headers["content-length"] ?? 0),
    );
    return await storePictureFor(app, viewer, PictureTarget.parse(request.query).place, bytes);
  } finally {
    const left = (underWay.get(viewer.id) ?? 1) - 1;
    if (left > 0) underWay.set(viewer.id, left);
    else underWay.delete(viewer.id);
  }
}

/** Reads exactly the announced number of bytes, since pictures are decoded in memory. */
async function readBytes(body: Readable | undefined, announced: number): Promise<Buffer> {
  const tooLarge = () => new Refusal("too-large", "That picture is larger than 10 MB.");
  if (!body) throw new Refusal("wrong-type", "This picture cannot be read. Use JPEG, PNG, WebP or GIF.");
  if (announced > LIMITS.postPicture.bytes) throw tooLarge();
  return new Promise((whole, refuse) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer) => {
      size += part.length;
      if (size <= LIMITS.postPicture.bytes) return void parts.push(part);
      body.off("data", take);
      refuse(tooLarge());
    };
    body.on("data", take);
    body.once("end", () => whole(Buffer.concat(parts)));
    body.once("error", () =>
      refuse(new Refusal("invalid", "The upload was interrupted. Send the picture again.")),
    );
  });
}
