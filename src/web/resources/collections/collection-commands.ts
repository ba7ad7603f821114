import { z } from "zod";
import {
  addCurator,
  editCollection,
  removeCurator,
  deleteCollection,
  moveInCollection,
  CollectionItem,
  addToCollection,
  CollectionChange,
  NewCurator,
  CollectionItemMove,
  removeFromCollection,
} from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";

const IntentInput = z.object({
  intent: z.enum(
    ["edit", "add-resource", "remove-resource", "move-resource", "add-curator", "remove-curator", "delete"],
    "This action does not exist.",
  ),
});
const CuratorInput = z.object({ personId: z.uuid() });

/** Runs a command of the collection page; returns the next URL. */
export async function runCollectionCommand(
  tx: Tx,
  viewer: Viewer,
  collectionId: string,
  form: FormData,
): Promise<string> {
  form.set("collectionId", collectionId);
  switch (parseForm(IntentInput, form).intent) {
    case "edit":
      await editCollection(tx, viewer, parseForm(CollectionChange, form));
      break;
    case "add-resource":
      await addToCollection(tx, viewer, {
        collectionId,
        resourceId: resourceIdFromUrl(String(form.get("address") ?? "")),
      });
      break;
    case "remove-resource":
      await removeFromCollection(tx, viewer, parseForm(CollectionItem, form));
      break;
    case "move-resource":
      await moveInCollection(tx, viewer, parseForm(CollectionItemMove, form));
      break;
    case "add-curator":
      await addCurator(tx, viewer, parseForm(NewCurator, form));
      break;
    case "remove-curator":
      await removeCurator(tx, viewer, { collectionId, ...parseForm(CuratorInput, form) });
      break;
    case "delete":
      await deleteCollection(tx, viewer, { collectionId });
      return urls.resources();
  }
  return urls.collection(collectionId);
}

/** Returns the resource id in an entered URL. */
function resourceIdFromUrl(address: string): string {
  const [, id] = /\/resources\/([0-9a-f-]{36})\b/i.exec(address) ?? [];
  if (!id) throw invalid("address", "That is not the link of a resource.");
  return id.toLowerCase();
}
