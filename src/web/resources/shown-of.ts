import { buffer } from "node:stream/consumers";
import { fileFor, fileTextFor, type Resource } from "#community/resources";
import type { Viewer } from "#community/rules";
import { renderDocument } from "#platform/markup";
import { decoded } from "#platform/reading";
import { asked } from "../forms.ts";
import type { House } from "../house.ts";
import { withOutline } from "./outline.ts";
import { tableOf } from "./table.ts";

/** Bytes of a text and rows of a table that are previewed; the download has the rest. */
const MOST_TEXT = 100_000;
const MOST_ROWS = 300;

/** Preview of a file: text, table, document, or extracted text. */
export async function shownOf(house: House, viewer: Viewer, { file }: Resource, url: URL) {
  if (!file || file.state !== "ok") return null;
  if (file.mime.startsWith("text/") && file.mime !== "text/html") return textOf(house, viewer, file);
  if (/^(image|audio|video)\//.test(file.mime)) return null;
  const read = await fileTextFor(house.db, viewer, file.id, Number(asked(url, "page")));
  return read && ({ kind: "read", ...read } as const);
}

type File = NonNullable<Resource["file"]>;

async function textOf({ db, storage }: House, viewer: Viewer, file: File) {
  const stored = await fileFor(db, viewer, file.id);
  // If the stored bytes are missing, for example after a move without their folder, the page has no preview.
  if ((await storage.sizeOf(stored.hash)) === null) return null;
  const cut = file.size > MOST_TEXT;
  const words = decoded(await buffer(await storage.open(stored.hash, { from: 0, to: Math.min(file.size, MOST_TEXT) - 1 })), cut);
  if (file.mime === "text/markdown") return { kind: "written", html: withOutline(await renderDocument(words)).html, cut } as const;
  if (file.mime !== "text/csv" && !/\.(csv|tsv)$/i.test(file.fileName)) return { kind: "text", words, cut } as const;
  // The last line may be incomplete.
  const rows = tableOf(words).slice(0, cut ? -1 : undefined);
  return { kind: "table", head: rows[0] ?? [], rows: rows.slice(1, MOST_ROWS + 1), cut: cut || rows.length - 1 > MOST_ROWS } as const;
}
