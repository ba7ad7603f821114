import { maskAddresses } from "./mbox-people.ts";

// Parses subjects of mails: removes the prefixes of replies, forwards and lists in many languages.

/** Marks of replies and forwards that are hardly ever the first word of a subject. */
const CERTAIN = (
  "re aw antw antwort sv fwd fw wg tr rif ynt ilt odp doorst vb vl továbbítás отв ответ пересл απ σχετ " +
  "πρθ השב תשובה הועבר رد 답장 회신 전달 回复 回復 回覆 答复 答覆 转发 轉寄 轉發 返信 転送"
)
  .split(" ")
  .concat("إعادة توجيه");
/** Reply marks in other languages that are also ordinary first words of a subject. */
const POSSIBLE = ["res", "vs", "r", "i", "rv", "enc", "bls", "trs", "pd", "vá", "fs", "ref"];

/** Matches a mark with an optional count of replies: `Re[2]:`, `Re^2:`, `Re(3):`, `Re*2:`. */
const markOf = (marks: string[]) =>
  new RegExp(
    `^\\s*(?:${marks.join("|")})\\s*(?:[\\^*]?\\d{1,3}|\\[\\d{1,3}\\]|\\(\\d{1,3}\\))?\\s*[:：]\\s*`,
    "iu",
  );
const [SURE, ANY] = [markOf(CERTAIN), markOf([...CERTAIN, ...POSSIBLE])];
const LIST_TAG = /^\s*(?:\[(?!\s*fwd?\s*:)[^\]]{1,40}\]\s*)+/i;
/** Format in which Netscape marked forwarded mails: `[Fwd: subject]`. */
const BRACKETED = /^\s*\[\s*fwd?\s*:\s*(.*?)\s*\]\s*$/isu;

export type Subject = {
  /** Title of the discussion if this mail starts one. */
  title: string;
  /** Normalized subject, equal for all mails of a thread. */
  key: string;
  isReply: boolean;
};

export function readSubject(subject: string): Subject {
  const plain = maskAddresses(subject).replace(/\s+/gu, " ");
  return {
    // If nothing remains without the tags, the title is the whole subject.
    title: strip(plain, SURE).trim() || plain.trim(),
    key: strip(plain, ANY).trim().toLowerCase(),
    isReply: ANY.test(withoutTag(plain)) || BRACKETED.test(plain),
  };
}

const withoutTag = (subject: string) => (BRACKETED.test(subject) ? subject : subject.replace(LIST_TAG, ""));

function strip(subject: string, mark: RegExp): string {
  let rest = subject;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = withoutTag(rest.replace(BRACKETED, "$1")).replace(mark, "");
  }
  return rest;
}
