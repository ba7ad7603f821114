import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { type InboundContext, processInboundMail } from "#community/mail";
import { clientNetwork } from "#platform/client-address";
import { isSameSecret } from "#platform/ids";
import type { Limits } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import { readChunks } from "#platform/streams";

/** Maximum bytes of a mail, attachments included. */
const MAX_BYTES = 12_000_000;
/** Maximum mails per minute from one address. */
const MAIL_LIMIT = { points: 600, seconds: 60 };
/** Maximum requests with a wrong secret per minute from one address. */
const WRONG_SECRET_LIMIT = { points: 20, seconds: 60 };

const WrappedMail = z.object({
  raw: z.string().min(1),
  encoding: z.enum(["utf8", "base64"]).default("utf8"),
});

type Options = { app: InboundContext & { limits: Limits }; secret: string | null };

/**
 * Registers the endpoint for mail servers: `POST /mail/in` with the secret, as `message/rfc822` or as JSON
 * with the mail in `raw`. The answer states the outcome; its status is 200 unless the mail server should
 * send the mail again. Without a configured secret the endpoint does not exist.
 */
export async function serveInboundMail(server: FastifyInstance, { app, secret }: Options) {
  if (secret === null) return;
  await server.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    part.post("/mail/in", async (request, reply) => {
      await assertSecret(request, app.limits, secret);
      await app.limits.take("mail-in", MAIL_LIMIT, clientNetwork(request.ip));
      const outcome = await processInboundMail(app, extractMail(request, await readBytes(request)));
      app.log.info({ outcome }, "inbound email received");
      return reply.header("cache-control", "no-store").send({ outcome });
    });
  });
}

async function assertSecret({ headers, ip }: FastifyRequest, limits: Limits, secret: string) {
  const shown = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? "")?.[1];
  if (shown !== undefined && isSameSecret(shown, secret)) return;
  await limits.take("mail-in-wrong", WRONG_SECRET_LIMIT, clientNetwork(ip));
  throw new Refusal("not-signed-in", "The secret is not valid.");
}

function extractMail({ headers }: FastifyRequest, body: Buffer): Buffer {
  const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (["message/rfc822", "application/octet-stream", "text/plain"].includes(type)) return body;
  if (type !== "application/json")
    throw new Refusal("wrong-type", "Send the email as message/rfc822, or as JSON with the email in raw.");
  const parsed = WrappedMail.safeParse(parseJson(body));
  if (!parsed.success) throw new Refusal("invalid", "The JSON must contain the email in raw.");
  return Buffer.from(parsed.data.raw, parsed.data.encoding);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

async function readBytes(request: FastifyRequest): Promise<Buffer> {
  const tooLarge = () => new Refusal("too-large", "The email is larger than 12 MB.");
  if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.body instanceof Readable ? readChunks(request.body) : []) {
    size += part.length;
    if (size > MAX_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
