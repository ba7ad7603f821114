import { buffer } from "node:stream/consumers";
import { getFile, getFileText, type Resource } from "#community/resources";
import type { Viewer } from "#community/rules";
import { renderDocument } from "#platform/markup";
import { decodeText } from "#platform/text-extraction";
import { readQueryParam } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { addHeadingAnchors } from "../document-outline.ts";
import { parseCsv } from "./parse-csv.ts";

/** Maximum bytes of a text in a preview; the download contains the whole file. */
const MAX_TEXT_BYTES = 100_000;
/** Maximum rows of a table in a preview. */
const MAX_ROWS = 300;

/** Preview of a file: text, table, document, or extracted text. */
export async function getFilePreview(
  app: Pick<WebContext, "db" | "storage">,
  viewer: Viewer,
  { file }: Resource,
  url: URL,
) {
  if (!file || file.state !== "ok") return null;
  if (file.mime.startsWith("text/") && file.mime !== "text/html") return readFileText(app, viewer, file);
  if (/^(image|audio|video)\//.test(file.mime)) return null;
  const fileText = await getFileText(app.db, viewer, file.id, Number(readQueryParam(url, "page")));
  return fileText && ({ kind: "read", ...fileText } as const);
}

type File = NonNullable<Resource["file"]>;

async function readFileText({ db, storage }: Pick<WebContext, "db" | "storage">, viewer: Viewer, file: File) {
  const stored = await getFile(db, viewer, file.id);
  // If the stored bytes are missing, for example after a move without their folder, the page has no preview.
  if ((await storage.sizeOf(stored.hash)) === null) return null;
  const cut = file.size > MAX_TEXT_BYTES;
  const words = decodeText(
    await buffer(await storage.open(stored.hash, { from: 0, to: Math.min(file.size, MAX_TEXT_BYTES) - 1 })),
    cut,
  );
  if (file.mime === "text/markdown")
    return { kind: "written", html: addHeadingAnchors(await renderDocument(words)).html, cut } as const;
  if (file.mime !== "text/csv" && !/\.(csv|tsv)$/i.test(file.fileName))
    return { kind: "text", words, cut } as const;
  // If the text was cut, its last line may be incomplete and is left out.
  const rows = parseCsv(words).slice(0, cut ? -1 : undefined);
  return {
    kind: "table",
    head: rows[0] ?? [],
    rows: rows.slice(1, MAX_ROWS + 1),
    cut: cut || rows.length - 1 > MAX_ROWS,
  } as const;
}
