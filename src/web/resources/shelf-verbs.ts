import { z } from "zod";
import {
  addCurator,
  changeShelf,
  dropCurator,
  dropShelf,
  moveOnShelf,
  OnShelf,
  putOnShelf,
  ShelfChange,
  ShelfCurator,
  ShelfMove,
  takeFromShelf,
} from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { parseForm } from "../forms.ts";
import { urls } from "../urls.ts";

const Intent = z.object({
  intent: z.enum(["change", "put", "take", "move", "curator", "no-curator", "drop"], "That is nothing this page can do."),
});
const Curator = z.object({ personId: z.uuid() });

/** Runs a command of the collection page; returns the next URL. */
export async function doWithShelf(tx: Tx, viewer: Viewer, shelfId: string, form: FormData): Promise<string> {
  form.set("shelfId", shelfId);
  switch (parseForm(Intent, form).intent) {
    case "change":
      await changeShelf(tx, viewer, parseForm(ShelfChange, form));
      break;
    case "put":
      await putOnShelf(tx, viewer, { shelfId, resourceId: resourceAt(String(form.get("address") ?? "")) });
      break;
    case "take":
      await takeFromShelf(tx, viewer, parseForm(OnShelf, form));
      break;
    case "move":
      await moveOnShelf(tx, viewer, parseForm(ShelfMove, form));
      break;
    case "curator":
      await addCurator(tx, viewer, parseForm(ShelfCurator, form));
      break;
    case "no-curator":
      await dropCurator(tx, viewer, { shelfId, ...parseForm(Curator, form) });
      break;
    case "drop":
      await dropShelf(tx, viewer, { shelfId });
      return urls.resources();
  }
  return urls.shelf(shelfId);
}

/** The resource id in a URL. */
function resourceAt(address: string): string {
  const [, id] = /\/resources\/([0-9a-f-]{36})\b/i.exec(address) ?? [];
  if (!id) throw invalid("address", "That is no address of a resource.");
  return id.toLowerCase();
}
