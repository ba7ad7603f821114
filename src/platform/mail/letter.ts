/** A mail in words. What it looks like is a template's affair; as text it is written here. */
export type Letter = {
  /** Two letters; decides the direction too. */
  language: string;
  community: string;
  subject: string;
  /** What lists of mail show after the subject. */
  preheader?: string;
  /** Where it can be answered: a line above which the answer is written, with the code by which it is found again. */
  answerLine?: string;
  parts: Part[];
  /** The one thing to do. */
  act: { button: string; link: string } | null;
  /** Above the end: why it came, and where that is changed. */
  footer?: { lines: string[]; links: { words: string; link: string }[] };
};

export type Part =
  | { kind: "sentence"; text: string }
  | { kind: "heading"; text: string; link?: string; note?: string }
  | { kind: "link"; words: string; link: string }
  /** What somebody wrote, begun. */
  | { kind: "said"; by: string; at: string; text: string; link?: string };

const asText = (part: Part): string => {
  if (part.kind === "sentence") return part.text;
  if (part.kind === "link") return `${part.words}: ${part.link}`;
  if (part.kind === "heading") return [`== ${part.text}`, part.note, part.link].filter(Boolean).join("\n");
  const quoted = part.text.split("\n").map((line) => `> ${line}`.trimEnd());
  return [`${part.by} · ${part.at}`, ...quoted, part.link].filter(Boolean).join("\n");
};

/** The letter for whoever reads mail as plain text; what programs take for a signature comes last. */
export function textOf({ answerLine, parts, act, footer, community }: Letter): string {
  const end = ["-- ", community, ...(footer?.lines ?? []), ...(footer?.links ?? []).map(({ words, link }) => `${words}: ${link}`)];
  return [...(answerLine ? [answerLine] : []), ...parts.map(asText), ...(act ? [`${act.button}: ${act.link}`] : []), end.join("\n")].join(
    "\n\n",
  );
}
