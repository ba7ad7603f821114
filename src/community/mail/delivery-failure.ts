import type { Email } from "postal-mime";

/**
 * The failure that a mail reports: permanent (`hard`) or temporary (`soft`). Null without a failure: a
 * delay, a relay, a successful delivery, or no delivery report at all.
 */
export function readDeliveryFailure(mail: Email, recipient: string | null): "hard" | "soft" | null {
  const status = mail.attachments
    .filter(({ mimeType }) => /^message\/(?:global-)?delivery-status$/i.test(mimeType))
    .map(contentOf);
  const text = `${mail.text ?? ""}\n${plain(mail.html ?? "")}`.slice(0, 100_000);
  // Some servers put the report's fields into the text instead of an attachment.
  const fields =
    status.length > 0 ? status.join("\n\n") : /^(?:Final-Recipient|Action):/im.test(text) ? text : "";
  return fields !== "" ? failureInFields(fields, recipient) : failureInWords(mail, text, recipient);
}

const contentOf = ({ content }: Email["attachments"][number]): string =>
  typeof content === "string" ? content : new TextDecoder().decode(content).slice(0, 100_000);

const plain = (html: string) => html.slice(0, 100_000).replace(/<[^<>]{0,2000}>/g, "\n");

/**
 * Reads the fields of a report (RFC 3464), which has one paragraph per recipient. If our recipient is named,
 * only their paragraph counts.
 */
function failureInFields(fields: string, recipient: string | null): "hard" | "soft" | null {
  const each = fields.split(/\r?\n[^\S\n]*\r?\n/).flatMap((paragraph) => {
    const action = /^Action:\s*([\w-]+)/im.exec(paragraph)?.[1]?.toLowerCase();
    const status = /^Status:\s*([245])\.\d{1,3}\.\d{1,3}/im.exec(paragraph)?.[1];
    if (action === undefined) return [];
    const named =
      paragraph
        .match(/^(?:Final|Original)-Recipient:.*$/gim)
        ?.join(" ")
        .toLowerCase() ?? "";
    const code = status ?? /^Diagnostic-Code:.*?\b([45])\d\d\b/im.exec(paragraph)?.[1];
    const outcome =
      action !== "failed" || code === "2" || code === undefined
        ? null
        : code === "5"
          ? ("hard" as const)
          : ("soft" as const);
    return [{ outcome, isOurs: recipient !== null && named.includes(recipient.toLowerCase()) }];
  });
  const ours = each.filter(({ isOurs }) => isOurs);
  const outcomes = (ours.length > 0 ? ours : each).map(({ outcome }) => outcome);
  return outcomes.includes("hard") ? "hard" : outcomes.includes("soft") ? "soft" : null;
}

const FAILED = new RegExp(
  String.raw`(?:permanent|fatal) error|i've given up|could not be delivered` +
    String.raw`|couldn't be delivered|wasn't able to deliver|was not able to deliver` +
    String.raw`|undeliverable|undelivered|delivery (?:has )?failed|failed permanently` +
    String.raw`|failure notice|returned to sender|unzustellbar|konnte nicht (?:zugestellt` +
    String.raw`|übermittelt) werden|n'a pas pu être (?:remis|délivré)|no se ha podido entregar` +
    String.raw`|no se pudo entregar|تعذر تسليم`,
  "i",
);
const LATE = new RegExp(
  String.raw`will (?:be retried|keep trying|continue to try|try again)|still being retried` +
    String.raw`|no action is required|has been delayed|delivery (?:is )?delayed` +
    String.raw`|not yet been delivered|warning: (?:could not send|message)|no need to resend`,
  "i",
);

/**
 * Reads reports in prose, as qmail, Exim and others write them: searches for phrases in the text above the
 * copy of the mail.
 */
function failureInWords(mail: Email, whole: string, recipient: string | null): "hard" | "soft" | null {
  const [text = ""] = whole.split(
    /^-{2,}.{0,20}(?:copy of|original|returned) (?:the |your )?(?:message|mail).{0,60}$|^-{3} Below this line/im,
  );
  const failed = mail.headers.find(({ key }) => key === "x-failed-recipients")?.value ?? "";
  const content = `${mail.subject ?? ""}\n${text}`;
  const isReport =
    failed !== "" ||
    /^(?:mailer-daemon|postmaster)@/i.test(mail.from?.address ?? "") ||
    mail.headers.some(({ key, value }) => key === "return-path" && /^<\s*>$/.test(value.trim()));
  if (!isReport || (failed === "" && (!FAILED.test(content) || LATE.test(content)))) return null;
  const about = paragraphAbout(text, recipient);
  if (
    new RegExp(
      String.raw`\b5\d\d[ -]|\b5\.\d{1,3}\.\d{1,3}\b|permanent|i've given up|unknown user` +
        String.raw`|user unknown|no such user|does not exist|not like recipient`,
      "i",
    ).test(about)
  )
    return "hard";
  return /\b4\d\d[ -]|\b4\.\d{1,3}\.\d{1,3}\b|over quota|mailbox (?:is )?full|temporar/i.test(about)
    ? "soft"
    : "hard";
}

/** The paragraph that names the recipient; the whole text if none does. */
function paragraphAbout(text: string, recipient: string | null): string {
  const paragraphs = text.split(/\n\s*\n/);
  const at =
    recipient === null
      ? -1
      : paragraphs.findIndex((it) => it.toLowerCase().includes(recipient.toLowerCase()));
  if (at < 0) return text;
  // The reason is in the same paragraph: Exim writes it on the line below the address.
  return paragraphs.slice(at, at + 1).join("\n");
}
