import { Readable } from "node:stream";
import { conversationFor } from "#community/conversations";
import { conversationRules, type SignedIn, type Viewer } from "#community/rules";
import { ownUpload, takeFile } from "#community/uploads";
import { idNamed, uuidv7 } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";
import { mindFiles, mindUploads } from "../server/mind-uploads.ts";
import { pictureAt } from "../server/picture-at.ts";
import { urls } from "../urls.ts";
import { signedIn } from "../visit.ts";

/** Without scripts a picture is submitted with the form: stores it and appends it to the text. */
export async function takePicture(house: House, viewer: Viewer, place: string, form: FormData): Promise<void> {
  const picture = given(form);
  if (!picture) return;
  const me = signedIn(viewer);
  const bytes = Buffer.from(await picture.arrayBuffer());
  const id = idIn(form, me, bytes);
  if (!(await ownUpload(house.db, me, id))) {
    await mindUploads(house, me);
    await pictureAt(house, me, place, bytes, id);
  }
  addLine(form, `![${inBrackets(String(form.get("pictureWords") ?? ""))}](${urls.file(id)})`);
}

/**
 * The same in a conversation, where any file is allowed.
 * @throws `not-allowed` if the viewer may not send files
 */
export async function takeSentAlong(house: House, viewer: Viewer, conversationId: string, place: string, form: FormData): Promise<void> {
  const picture = form.get("picture");
  if (!(picture instanceof File) || picture.size === 0 || picture.type.startsWith("image/")) return takePicture(house, viewer, place, form);
  form.delete("picture");
  const me = signedIn(viewer);
  if (!conversationRules.sendFiles(me, await conversationFor(house.db, me, conversationId)))
    throw new Refusal("not-allowed", "You can send files once you have been here for a while.");
  addLine(form, await stored(house, me, picture, form));
}

async function stored(house: House, me: SignedIn, file: File, form: FormData): Promise<string> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const id = idIn(form, me, bytes);
  if (!(await ownUpload(house.db, me, id))) {
    await mindFiles(house, me);
    await takeFile(house, me, file.name, Readable.from([bytes]), id);
  }
  const kept = await ownUpload(house.db, me, id);
  return `[${inBrackets(kept?.fileName ?? file.name)}](${urls.file(id)})`;
}

function given(form: FormData): File | null {
  const picture = form.get("picture");
  form.delete("picture");
  return picture instanceof File && picture.size > 0 ? picture : null;
}

/**
 * A deterministic id for the attachment of a submission: a resubmission after a lost response has the same
 * text, and the file is not stored twice.
 */
function idIn(form: FormData, me: SignedIn, bytes: Buffer): string {
  const clientId = String(form.get("clientId") ?? "");
  return clientId === "" ? uuidv7() : idNamed(me.id, clientId, bytes);
}

const inBrackets = (words: string) => words.replace(/[[\]\n\\]/g, " ").trim();
const addLine = (form: FormData, line: string) => form.set("body", `${String(form.get("body") ?? "").trimEnd()}\n\n${line}`.trim());
