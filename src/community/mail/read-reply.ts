import type { Email } from "postal-mime";
import { htmlToText } from "#platform/mail";
import { markdownOfMail } from "./reply-text/html-text.ts";
import { type Context, extractReply, type ReplyText } from "./reply-text/own-text.ts";

/** Of an answer by mail, what its author wrote themselves: of its plain text, or of its HTML where there is nothing in that. */
export function readReply(mail: Pick<Email, "text" | "html">, context: Context): ReplyText {
  const plain = mail.text?.trim() ? extractReply(mail.text, "plain", context) : null;
  if (plain?.text || !mail.html?.trim()) return plain ?? { text: "", asWritten: "", leftOut: "" };
  const html = extractReply(markdownOfMail(mail.html), "markdown", context);
  return html.text || !plain ? html : plain;
}

/** All the words of a mail, whoever wrote them: where none could be told to be its author's. */
export const allWords = (mail: Pick<Email, "text" | "html">): string =>
  mail.text?.trim() || htmlToText((mail.html ?? "").slice(0, 500_000));
