import { buffer } from "node:stream/consumers";
import { type Caller, type Files, openFile, type OpenedFile, parsePath } from "#baas/files";
import type { MailAttachment } from "#platform/mail";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { invalidEmail } from "./email-context.ts";

export const MAX_ATTACHMENTS = 10;
const MAX_BYTES = 10_000_000;

/**
 * Reads files to attach to an email, if the sender may read them.
 * @throws `not-found` for a missing or unreadable file, `invalid` for a directory, `too-large` for more than
 * ten megabytes together
 */
export async function readAttachments(
  files: Files,
  caller: Caller,
  paths: string[],
): Promise<MailAttachment[]> {
  const opened: OpenedFile[] = [];
  for (const path of paths) {
    const file = await openFile(files, caller, parsePath(path));
    if (file === "directory")
      throw invalidEmail(
        "attachment",
        msg("{path} is a directory: only files can be attached.", { path: path.slice(0, 200) }),
      );
    opened.push(file);
  }
  // The size is checked before anything is read.
  if (opened.reduce((bytes, { node }) => bytes + node.size, 0) > MAX_BYTES)
    throw new Refusal(
      "too-large",
      msg("All attachments together can have at most {count} MB.", { count: MAX_BYTES / 1_000_000 }),
      {
        kind: "mail-too-large",
      },
    );
  const attachments: MailAttachment[] = [];
  for (const { node, open } of opened)
    attachments.push({ name: node.name, mime: node.mime, bytes: await buffer(await open()) });
  return attachments;
}
