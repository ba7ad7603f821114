import { buffer } from "node:stream/consumers";
import { type Caller, type Files, openFile, type Opened, pathOf } from "#backend/files";
import type { MailAttachment } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { wrong } from "./mails.ts";

export const MOST_ATTACHMENTS = 10;
const MOST_BYTES = 10_000_000;

/**
 * Files of programs as they are now, to go with a mail: as whoever sends may read them. Throws `not-found` for what is not there or not
 * theirs to read, `invalid` for a directory, `too-large` where they are more than ten megabytes together.
 */
export async function readAttachments(files: Files, caller: Caller, paths: string[]): Promise<MailAttachment[]> {
  const opened: Opened[] = [];
  for (const path of paths) {
    const file = await openFile(files, caller, pathOf(path));
    if (file === "directory") throw wrong("attachment", `${path.slice(0, 200)} is a directory: only files go with a mail.`);
    opened.push(file);
  }
  // Looked at before anything is read.
  if (opened.reduce((bytes, { node }) => bytes + node.size, 0) > MOST_BYTES)
    throw new Refusal("too-large", `What goes with a mail has ${MOST_BYTES / 1_000_000} MB at the most, all together.`, {
      kind: "mail-too-large",
    });
  const attachments: MailAttachment[] = [];
  for (const { node, open } of opened) attachments.push({ name: node.name, mime: node.mime, bytes: await buffer(await open()) });
  return attachments;
}
