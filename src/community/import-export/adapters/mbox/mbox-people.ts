import { createHash } from "node:crypto";
import { type Address, addressParser, decodeWords, type Email } from "postal-mime";

// Reads the writers of a list's mails. Emails are not shown: they only identify people.

const LOCAL_PART = "[\\w.!#$%&'*+/=?^`{|}~-]{1,64}";
const DOMAIN = "[\\w-]{1,63}(?:\\.[\\w-]{1,63})+";
const ADDRESS = new RegExp(`(${LOCAL_PART})@${DOMAIN}`, "g");
/** Web archives write " at " instead of @. */
const SPELLED_OUT_ADDRESS = new RegExp(`(${LOCAL_PART}) at (${DOMAIN})`);
const IN_WORDS_ANYWHERE = new RegExp(`(?<![\\w.@-])(${LOCAL_PART}) at (${DOMAIN})`, "g");
const BEFORE_AT_WORDS =
  "look looks looking looked see find found live lives is are was be it us me them up online " +
  "available hosted here there page pages site website list archive archives also code source docs " +
  "documentation start work works meet meeting people folks or and only located";
/** Words before " at " that show it is running text, such as "look at example.org". */
const BEFORE_AT = new RegExp(`^(?:${BEFORE_AT_WORDS.replaceAll(" ", "|")})$`, "i");
/**
 * Matches an email written with " at " only inside angle brackets, because running text such as "look at
 * example.org" looks the same.
 */
const BRACKETED_SPELLED_OUT_ADDRESS = new RegExp(`<(${LOCAL_PART}) at ${DOMAIN}>`, "g");

/** Hides emails from readers: the local part is enough to tell people apart. */
export const maskAddresses = (text: string) =>
  text.replace(ADDRESS, "$1@…").replace(BRACKETED_SPELLED_OUT_ADDRESS, "<$1@…>");

/**
 * Hides emails in the text of a mail. If the sender's email is written with " at ", emails in the text may be
 * too: "name at domain" then counts as an email if it has the sender's domain, or if the name contains a
 * digit, a dot, `_` or `+`.
 */
export function maskAddressesInMail(mail: Email, text: string): string {
  const domain = SPELLED_OUT_ADDRESS.exec(readHeader(mail, "from"))?.[2]?.toLowerCase();
  const plain = maskAddresses(text);
  if (!domain) return plain;
  return plain.replace(IN_WORDS_ANYWHERE, (whole, local: string, at: string) =>
    (at.toLowerCase() === domain && !BEFORE_AT.test(local)) || /[\d._+]/.test(local) ? `${local}@…` : whole,
  );
}

export const readHeader = (mail: Email, name: string) =>
  mail.headers.find(({ key }) => key === name)?.value ?? "";

/** People are identified by a hash of their email; the email itself is stored only for claiming. */
export function parseAuthor(mail: Email) {
  const writer = findWriter(mail);
  const email = writer?.address?.toLowerCase() ?? "";
  const name =
    maskAddresses((writer?.name ?? "").replace(SPELLED_OUT_ADDRESS, "$1@$2")).trim() ||
    email.split("@")[0] ||
    "Somebody";
  const id = email
    ? createHash("sha256").update(email).digest("hex").slice(0, 32)
    : `name:${name.slice(0, 100)}`;
  return { id, username: name, name, ...(email && { email }) };
}

/** A list that resends mail under its own name writes "Ada via List". */
const SENT_ON_BEHALF = /^['"]?(.+?)['"]? via .+$/i;

function findWriter(mail: Email): Address | undefined {
  const from = findSender(mail);
  const [original] = parseAddresses(readHeader(mail, "x-original-from"));
  if (original?.address) return original;
  const name = SENT_ON_BEHALF.exec(from?.name ?? "")?.[1];
  if (!name) return from;
  const lists = [from?.address ?? "", readHeader(mail, "list-post")].join(" ").toLowerCase();
  const own = mail.replyTo?.find(({ address }) => address && !lists.includes(address.toLowerCase()));
  return { name, address: own?.address ?? "" };
}

function findSender(mail: Email): Address | undefined {
  if (mail.from?.address?.includes("@")) return mail.from;
  return parseAddresses(readHeader(mail, "from").replace(SPELLED_OUT_ADDRESS, "$1@$2"))[0] ?? mail.from;
}

const parseAddresses = (header: string): Address[] =>
  addressParser(header).map((it) => ({ ...it, name: decodeWords(it.name) }));
