import type { Viewer } from "#community/rules";
import type { House } from "../house.ts";
import { pictureAt } from "../server/picture-at.ts";
import { mindUploads } from "../server/mind-uploads.ts";
import { signedIn } from "../visit.ts";

/** Without scripts a picture comes with the form: it is stored, and stands at the end of the text from then on. */
export async function takePicture(house: House, viewer: Viewer, place: string, form: FormData): Promise<void> {
  const picture = form.get("picture");
  form.delete("picture");
  if (!(picture instanceof File) || picture.size === 0) return;
  const me = signedIn(viewer);
  await mindUploads(house, me);
  const { address } = await pictureAt(house, me, place, Buffer.from(await picture.arrayBuffer()));
  const alt = String(form.get("pictureWords") ?? "")
    .replace(/[[\]\n\\]/g, " ")
    .trim();
  form.set("body", `${String(form.get("body") ?? "").trimEnd()}\n\n![${alt}](${address})`.trim());
}
