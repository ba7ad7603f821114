import { Readable } from "node:stream";
import { getConversation } from "#community/conversations";
import { conversationRules, type SignedIn, type Viewer } from "#community/rules";
import { getOwnUpload, storeUpload } from "#community/uploads";
import { deriveId, uuidv7 } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { WebContext } from "../web-context.ts";
import { assertFileLimit, assertPictureLimit } from "../server/upload-rate-limits.ts";
import { storePictureFor } from "../server/store-picture.ts";
import { urls } from "../urls.ts";
import { requireSignedIn } from "../request-context.ts";

/** Stores the picture that a browser without scripts submits with the form, and appends it to the text. */
export async function attachPicture(
  app: Pick<WebContext, "database" | "db" | "limits" | "storage">,
  viewer: Viewer,
  target: string,
  form: FormData,
): Promise<void> {
  const picture = takePictureField(form);
  if (!picture) return;
  const me = requireSignedIn(viewer);
  const bytes = Buffer.from(await picture.arrayBuffer());
  const id = attachmentId(form, me, bytes);
  if (!(await getOwnUpload(app.db, me, id))) {
    await assertPictureLimit(app, me);
    await storePictureFor(app, me, target, bytes, id);
  }
  appendParagraph(form, `![${escapeBrackets(String(form.get("pictureWords") ?? ""))}](${urls.file(id)})`);
}

/**
 * Like `attachPicture`, but in a conversation, where any file is allowed.
 * @throws `not-allowed` if the viewer may not send files
 */
export async function attachFile(
  app: Pick<WebContext, "database" | "db" | "settings" | "limits" | "storage" | "scanner">,
  viewer: Viewer,
  conversationId: string,
  target: string,
  form: FormData,
): Promise<void> {
  const picture = form.get("picture");
  if (!(picture instanceof File) || picture.size === 0 || picture.type.startsWith("image/"))
    return attachPicture(app, viewer, target, form);
  form.delete("picture");
  const me = requireSignedIn(viewer);
  if (!conversationRules.sendFiles(me, await getConversation(app.db, me, conversationId)))
    throw new Refusal("not-allowed", "New accounts cannot send files yet.");
  appendParagraph(form, await storeFile(app, me, picture, form));
}

async function storeFile(
  app: Pick<WebContext, "database" | "db" | "settings" | "limits" | "storage" | "scanner">,
  me: SignedIn,
  file: File,
  form: FormData,
): Promise<string> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const id = attachmentId(form, me, bytes);
  if (!(await getOwnUpload(app.db, me, id))) {
    await assertFileLimit(app, me);
    await storeUpload(app, me, file.name, Readable.from([bytes]), id);
  }
  const upload = await getOwnUpload(app.db, me, id);
  return `[${escapeBrackets(upload?.fileName ?? file.name)}](${urls.file(id)})`;
}

function takePictureField(form: FormData): File | null {
  const picture = form.get("picture");
  form.delete("picture");
  return picture instanceof File && picture.size > 0 ? picture : null;
}

/**
 * Derives the id of an attachment from its submission. A resubmission after a lost response gets the same
 * id, so the file is not stored twice.
 */
function attachmentId(form: FormData, me: SignedIn, bytes: Buffer): string {
  const clientId = String(form.get("clientId") ?? "");
  return clientId === "" ? uuidv7() : deriveId(me.id, clientId, bytes);
}

const escapeBrackets = (words: string) => words.replace(/[[\]\n\\]/g, " ").trim();
const appendParagraph = (form: FormData, line: string) =>
  form.set("body", `${String(form.get("body") ?? "").trimEnd()}\n\n${line}`.trim());
