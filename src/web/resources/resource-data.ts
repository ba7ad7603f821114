import { text } from "node:stream/consumers";
import { draftFor, place } from "#community/discussions";
import { commentsOn, type Resource, resourceFor, usedIn, fileFor } from "#community/resources";
import { isSignedIn, resourceRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { excerptOf } from "#platform/markup";
import { asked } from "../forms.ts";
import type { House } from "../house.ts";
import { withOutline } from "./outline.ts";
import { tableOf } from "./table.ts";

/** Everything that the page of a resource shows to this viewer. */
export async function resourcePage(house: House, db: Db, viewer: Viewer, id: string, url: URL) {
  const resource = await resourceFor(db, viewer, id);
  const where = place.resource(resource.id);
  const after = Number.parseInt(asked(url, "after"), 10) || 0;
  const [{ comments, more }, uses, draft, shown] = await Promise.all([
    commentsOn(db, viewer, resource, { after }),
    usedIn(db, viewer, resource),
    isSignedIn(viewer) ? draftFor(db, viewer, where) : null,
    textOf(house, db, viewer, resource),
  ]);
  const { bodyMd: _, bodyHtml, ...kept } = resource;
  return {
    resource: kept,
    ...withOutline(bodyHtml),
    excerpt: excerptOf(bodyHtml, 200),
    comments,
    after,
    more: more ? comments.at(-1)!.number : null,
    uses,
    shown,
    draft,
    place: where,
    mayComment: resourceRules.comment(viewer, resource),
    // A submission of this page's form is stored once, however often it is sent.
    clientId: crypto.randomUUID(),
  };
}
export type ResourcePageData = Awaited<ReturnType<typeof resourcePage>>;
export type ShownResource = ResourcePageData["resource"];

/** A text larger than this is downloaded, not shown. */
const MOST_TEXT = 100_000;
const MOST_ROWS = 300;

/** What a small text file says: lines as they are, or a table. */
async function textOf(house: House, db: Db, viewer: Viewer, { file }: Resource) {
  if (!file || !file.mime.startsWith("text/") || file.mime === "text/html" || file.size > MOST_TEXT) return null;
  const stored = await fileFor(db, viewer, file.id);
  // Where the bytes are gone, moved without their folder perhaps, the page stands without them.
  if ((await house.storage.sizeOf(stored.hash)) === null) return null;
  const words = await text(await house.storage.open(stored.hash));
  if (file.mime !== "text/csv" && !/\.(csv|tsv)$/i.test(file.fileName)) return { kind: "text", words } as const;
  const rows = tableOf(words);
  return { kind: "table", head: rows[0] ?? [], rows: rows.slice(1, MOST_ROWS + 1), cut: rows.length - 1 > MOST_ROWS } as const;
}
export type ShownText = Awaited<ReturnType<typeof textOf>>;
