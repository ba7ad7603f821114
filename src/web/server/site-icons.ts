import { buffer } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { getLogo } from "#community/settings";
import { SANDBOX_HEADERS } from "#platform/http";
import { createIcon } from "#platform/images";
import { notFound } from "#platform/refusal";
import type { WebContext } from "../web-context.ts";

/**
 * Icon variants for devices. `touch.png` is for home screens of Apple devices, which support no
 * transparency. In maskable icons the logo fills only the middle four fifths, since devices cut off the
 * edges.
 */
const ICON_SIZES = {
  "192.png": { size: 192, free: 0 },
  "512.png": { size: 512, free: 0 },
  "touch.png": { size: 180, free: 0.1, ground: "#faf8f4" },
  "maskable.png": { size: 512, free: 0.15, ground: "#faf8f4" },
};
const isIconName = (face: string): face is keyof typeof ICON_SIZES => Object.hasOwn(ICON_SIZES, face);

type IconRequest = { Params: { uploadId: string; face: string } };

/** Serves the community's logo, and icons derived from it. The content at an address never changes. */
export function serveSiteIcons(server: FastifyInstance, { db, storage }: Pick<WebContext, "db" | "storage">) {
  /** Icons of the latest logo, each created once. */
  const made = new Map<string, Promise<Buffer>>();
  const icon = (hash: string, face: keyof typeof ICON_SIZES): Promise<Buffer> => {
    const key = `${hash} ${face}`;
    const known = made.get(key);
    if (known) return known;
    if (made.size >= Object.keys(ICON_SIZES).length) made.clear();
    const { size, ...rest } = ICON_SIZES[face];
    const making = storage.open(hash).then(async (stored) => createIcon(await buffer(stored), size, rest));
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
  server.get<IconRequest>("/logo/:uploadId/:face", async ({ params: { uploadId, face } }, reply) => {
    if (face !== "picture" && !isIconName(face)) throw notFound();
    const { hash } = await getLogo(db, uploadId);
    const bytes = face === "picture" ? await buffer(await storage.open(hash)) : await icon(hash, face);
    return reply
      .headers({
        ...SANDBOX_HEADERS,
        "accept-ranges": "none",
        "cache-control": "public, max-age=31536000, immutable",
      })
      .type(face === "picture" ? "image/webp" : "image/png")
      .send(bytes);
  });
}
