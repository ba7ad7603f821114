import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Bundle } from "../../archive/bundle-files.ts";
import { readJsonFile } from "../../archive/text-lines.ts";

// Layout of a Slack export: its lists, and a folder for each listed channel.

type Note = { at: string; note: string };

const PRIVATE_LISTS = [
  ["dms.json", "direct messages"],
  ["mpims.json", "group messages"],
] as const;
const text = z.string().nullish().catch(null);
const Private = z.object({ id: text, name: text });

/** Zips made on a Mac store accents as separate characters, so names are compared in NFC. */
export const channelFolder = ({ name }: { name: string }) => name.normalize("NFC");

/** The files of each channel, by folder name. */
export function groupDayFiles(bundle: Bundle, root: string): Map<string, string[]> {
  const all = bundle.names.filter(
    (name) => name.startsWith(root) && name.endsWith(".json") && name.includes("/", root.length),
  );
  return Map.groupBy(all, (name) =>
    channelFolder({ name: name.slice(root.length, name.indexOf("/", root.length)) }),
  );
}

/** Notes on what is not imported: private messages, and folders that no list names. */
export async function* reportSkipped(bundle: Bundle, root: string, folders: string[]): AsyncGenerator<Note> {
  const unnamed = new Set(folders);
  for (const [at, kind] of PRIVATE_LISTS) {
    if (!bundle.names.includes(root + at)) continue;
    yield { at, note: `Skipped: private ${kind} are not imported.` };
    for (const { id, name } of (await readListFile(bundle, root + at, Private)).rows)
      for (const it of [id, name]) unnamed.delete(it ?? "");
  }
  for (const name of unnamed)
    yield { at: `${name}/`, note: "Skipped: no list contains a channel with this name." };
}

export function findExportRoot(bundle: Bundle): string {
  const found = bundle.names.find((name) => /(?:^|\/)channels\.json$/.test(name));
  if (found === undefined) throw new Refusal("invalid", "The archive contains no channels.json.");
  return found.slice(0, -"channels.json".length);
}

/** The rows of a list file, and a note if it cannot be read fully. */
export async function readListFile<T extends z.ZodType>(
  bundle: Bundle,
  name: string,
  schema: T,
): Promise<{ rows: z.output<T>[]; notes: Note[] }> {
  if (bundle.sizeOf(name) === null) return { rows: [], notes: [] };
  const jsonFile = await readJsonFile(bundle, name);
  if ("fault" in jsonFile) return { rows: [], notes: [{ at: name, note: jsonFile.fault }] };
  const all = z.array(z.unknown()).safeParse(jsonFile.json).data;
  if (!all) return { rows: [], notes: [{ at: name, note: "Skipped: not a list." }] };
  const rows = all.flatMap((one) => {
    const row = schema.safeParse(one);
    return row.success ? [row.data] : [];
  });
  const lost = all.length - rows.length;
  return { rows, notes: lost > 0 ? [{ at: name, note: `${lost} of its entries cannot be read.` }] : [] };
}
