import { Readable } from "node:stream";
import { conversationFor } from "#community/conversations";
import { conversationRules, type SignedIn, type Viewer } from "#community/rules";
import { freeFiles, takeFile } from "#community/uploads";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";
import { mindFiles, mindUploads } from "../server/mind-uploads.ts";
import { pictureAt } from "../server/picture-at.ts";
import { signedIn } from "../visit.ts";

/** Without scripts a picture comes with the form: it is stored, and stands at the end of the text from then on. */
export async function takePicture(house: House, viewer: Viewer, place: string, form: FormData): Promise<void> {
  const picture = given(form);
  if (!picture) return;
  const me = signedIn(viewer);
  await mindUploads(house, me);
  const { address } = await pictureAt(house, me, place, Buffer.from(await picture.arrayBuffer()));
  addLine(form, `![${inBrackets(String(form.get("pictureWords") ?? ""))}](${address})`);
}

/** The same in a conversation, where any file may come. Throws `not-allowed` for who may send none. */
export async function takeSentAlong(house: House, viewer: Viewer, conversationId: string, place: string, form: FormData): Promise<void> {
  const picture = form.get("picture");
  if (!(picture instanceof File) || picture.size === 0 || picture.type.startsWith("image/")) return takePicture(house, viewer, place, form);
  form.delete("picture");
  const me = signedIn(viewer);
  if (!conversationRules.sendFiles(me, await conversationFor(house.db, me, conversationId)))
    throw new Refusal("not-allowed", "You can send files once you have been here for a while.");
  addLine(form, await stored(house, me, picture));
}

async function stored(house: House, me: SignedIn, file: File): Promise<string> {
  await mindFiles(house, me);
  const { id } = await takeFile(house, me, file.name, Readable.from([Buffer.from(await file.arrayBuffer())]));
  const [kept] = await freeFiles(house.db, me, [id]);
  return `[${inBrackets(kept?.fileName ?? file.name)}](/files/${id})`;
}

function given(form: FormData): File | null {
  const picture = form.get("picture");
  form.delete("picture");
  return picture instanceof File && picture.size > 0 ? picture : null;
}

const inBrackets = (words: string) => words.replace(/[[\]\n\\]/g, " ").trim();
const addLine = (form: FormData, line: string) => form.set("body", `${String(form.get("body") ?? "").trimEnd()}\n\n${line}`.trim());
