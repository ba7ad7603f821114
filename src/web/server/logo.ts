import { buffer } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { logoFor } from "#community/settings";
import { HARMLESS } from "#platform/http";
import { iconOf } from "#platform/images";
import { notFound } from "#platform/refusal";
import type { House } from "../house.ts";

/**
 * Icon variants for devices. Maskable ones keep the logo within the middle four fifths, since devices cut
 * them to a shape.
 */
const ICONS = {
  "192.png": { size: 192, free: 0 },
  "512.png": { size: 512, free: 0 },
  "maskable.png": { size: 512, free: 0.15, ground: "#faf8f4" },
};
const isIcon = (face: string): face is keyof typeof ICONS => Object.hasOwn(ICONS, face);

type Asked = { Params: { uploadId: string; face: string } };

/** Serves the community's logo and icons made of it. The content of an address never changes. */
export function serveLogo(server: FastifyInstance, { db, storage }: Pick<House, "db" | "storage">) {
  /** Icons of the latest logo, each made once. */
  const made = new Map<string, Promise<Buffer>>();
  const icon = (hash: string, face: keyof typeof ICONS): Promise<Buffer> => {
    const key = `${hash} ${face}`;
    const known = made.get(key);
    if (known) return known;
    if (made.size >= Object.keys(ICONS).length) made.clear();
    const { size, ...rest } = ICONS[face];
    const making = storage.open(hash).then(async (stored) => iconOf(await buffer(stored), size, rest));
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
  server.get<Asked>("/logo/:uploadId/:face", async ({ params: { uploadId, face } }, reply) => {
    if (face !== "picture" && !isIcon(face)) throw notFound();
    const { hash } = await logoFor(db, uploadId);
    const bytes = face === "picture" ? await buffer(await storage.open(hash)) : await icon(hash, face);
    return reply
      .headers({ ...HARMLESS, "accept-ranges": "none", "cache-control": "public, max-age=31536000, immutable" })
      .type(face === "picture" ? "image/webp" : "image/png")
      .send(bytes);
  });
}
