import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

// Creates a mailing list archive as Mailman exports it: a text file per month, some of them compressed. It
// can also be run as a program: `node test/support/import-export/mailing-list-archive.ts FOLDER MAILS`.

export type ArchivedMail = {
  messageId: string;
  /** Number of the first mail in the thread. */
  thread: number;
  /** A line that occurs only in this mail's text. */
  line: string;
};
export type MailingListArchive = {
  files: Record<string, Buffer>;
  mails: ArchivedMail[];
  /** Number of mails that are not imported, because another mail has the same Message-ID. */
  clashing: number;
};

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const PEOPLE = [
  ["ada", "Ada Birch"],
  ["joao", "João Ramos"],
  ["kim", "Kim Alder"],
  ["lou", "Lou O'Neil"],
  ["zoe", "Zoë Müller"],
  ["olga", "Ольга Ива"],
] as const;
const TOPICS = [
  "Plan of the beds",
  "Where is the key?",
  "Água para as plantas",
  "Grüße vom Beet",
  "R: a language",
  "[Solved] water",
];
const REPLIES = ["Re: ", "RE: ", "AW: ", "RES: ", "VS: ", "R: ", "回复：", "Re^2: ", "Re[3]: ", "Sv: "];
const TEXTS = [
  "We sow in May, says the café.",
  "Look at __init__.py: 2*3*4 is 24.",
  "root:x:0:0 is no face.",
  "Grüße aus Köln",
];

/** Returns a pseudo-random sequence of numbers from 0 to 1, always the same. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let it = Math.imul(state ^ (state >>> 15), 1 | state);
    it = (it + Math.imul(it ^ (it >>> 7), 61 | it)) ^ it;
    return ((it ^ (it >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function createMailingListArchive(count: number, seed = 1): MailingListArchive {
  const next = seededRandom(seed);
  const among = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
  const months = new Map<string, Buffer[]>();
  const mails: ArchivedMail[] = [];
  const threads: { first: number; subject: string; latest: number }[] = [];
  let clashing = 0;
  for (let i = 0; i < count; i += 1) {
    const at = new Date(Date.UTC(2003, 0, 1) + i * 5_400_000);
    const isReply = threads.length > 0 && next() < 0.7;
    const thread = isReply
      ? among(threads.slice(-8))
      : { first: i, subject: `${among(TOPICS)} ${i}`, latest: i };
    const bySubject = isReply && next() < 0.3;
    const before = mails[thread.latest];
    const answered = isReply && !bySubject && before ? before.messageId : null;
    if (!isReply) threads.push(thread);
    const it: ArchivedMail = {
      messageId: `<${i}.${seed}@example.org>`,
      thread: thread.first,
      line: `Line ${i} of the archive.`,
    };
    const subject = createSubject(thread.subject, isReply, among, next);
    const isClash = i > 0 && next() < 0.005;
    if (isClash) clashing += 1;
    else mails[i] = it;
    const messageId = isClash ? `<0.${seed}@example.org>` : it.messageId;
    const text = [
      it.line,
      among(TEXTS),
      ...(next() < 0.2 ? [">From the shed it is cold.", "From here on it is warm."] : []),
    ];
    if (next() < 0.05)
      text.push(
        "-------------- next part --------------",
        "A non-text attachment was scrubbed...",
        "Name: plan.png",
      );
    if (isReply) text.push("> quoted words", "> and more of them");
    const month = `${at.getUTCFullYear()}-${MONTHS[at.getUTCMonth()]!}`;
    const parts = months.get(month) ?? [];
    months.set(month, [
      ...parts,
      createRawMail({ at, person: among(PEOPLE), subject, messageId, answered, text: text.join("\n") }, next),
    ]);
    if (!isClash) thread.latest = i;
  }
  const files = [...months].map(([name, parts], i): [string, Buffer] => {
    const bytes = Buffer.concat(parts);
    return i % 2 === 0 ? [`${name}.txt`, bytes] : [`${name}.txt.gz`, gzipSync(bytes)];
  });
  return { files: Object.fromEntries(files), mails: mails.filter(Boolean), clashing };
}

function createSubject(
  subject: string,
  isReply: boolean,
  among: <T>(all: readonly T[]) => T,
  next: () => number,
): string {
  if (!isReply) return `[garden] ${subject}`;
  if (next() < 0.1) return `[Fwd: [garden] ${subject}]`;
  return next() < 0.5
    ? `[garden] ${among(REPLIES)}${subject}`
    : `${among(REPLIES)}${among(REPLIES)}[garden] ${subject}`;
}

type RawMailInput = {
  at: Date;
  person: (typeof PEOPLE)[number];
  subject: string;
  messageId: string;
  answered: string | null;
  text: string;
};

/** Writes a mail with the few headers that Mailman keeps, so the encoding of its text is often unknown. */
function createRawMail(
  { at, person: [login, name], subject, messageId, answered, text }: RawMailInput,
  next: () => number,
): Buffer {
  const [day, date, month, year, time] = [
    at.toUTCString().slice(0, 3),
    at.getUTCDate(),
    MONTHS[at.getUTCMonth()]!.slice(0, 3),
    at.getUTCFullYear(),
    at.toISOString().slice(11, 19),
  ];
  const isRare = next() < 0.1;
  const envelope = isRare
    ? `From ${login}@example.org ${day}, ${date} ${month} ${year} ${time} -0400 (EDT)`
    : `From ${login} at example.org  ${day} ${month} ${String(date).padStart(2)} ${time} ${year}`;
  const encoding: BufferEncoding = /^[\0-\xFF]*$/.test(text) && next() < 0.4 ? "latin1" : "utf8";
  const head = [
    envelope,
    `From: ${login} at example.org (${encodeHeader(name)})`,
    `Date: ${at.toUTCString().replace("GMT", "+0000")}`,
    `Subject: ${next() < 0.8 ? encodeHeader(subject) : subject}`,
    ...(answered ? [`In-Reply-To: ${answered}`] : []),
    ...(answered && next() < 0.5 ? [`References: ${answered}`] : []),
    `Message-ID: ${messageId}`,
  ];
  const end = next() < 0.3 ? "\n" : "\n\n";
  return Buffer.concat([Buffer.from(`${head.join("\n")}\n\n`), Buffer.from(text + end, encoding)]);
}

const encodeHeader = (text: string) =>
  /^[ -~]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

if (import.meta.main) {
  const [folder = "archive", mails = "5000"] = process.argv.slice(2);
  const archive = createMailingListArchive(Number(mails));
  await mkdir(join(folder, "garden"), { recursive: true });
  for (const [name, bytes] of Object.entries(archive.files))
    await writeFile(join(folder, "garden", name), bytes);
  console.log(
    `${mails} mails in ${Object.keys(archive.files).length} files; ${archive.clashing} share a ` +
      `Message-ID with another.`,
  );
}
