/** Content of an email. Templates render its HTML; its plain text is rendered here. */
export type EmailContent = {
  /** Two-letter code; decides the direction too. */
  language: string;
  community: string;
  subject: string;
  /** Shown after the subject in lists of mail. */
  preheader?: string;
  /** Line above which a reply is written, with the code that identifies the mail. */
  answerLine?: string;
  parts: EmailPart[];
  /** The one call to action. */
  act: { button: string; link: string } | null;
  /** Footer: why the mail was sent and where to change that. */
  footer?: { lines: string[]; links: { words: string; link: string }[] };
};

export type EmailPart =
  | { kind: "sentence"; text: string }
  | { kind: "heading"; text: string; link?: string; note?: string }
  | { kind: "link"; words: string; link: string }
  /** Excerpt of a person's text. */
  | { kind: "said"; by: string; at: string; text: string; link?: string };

const partToText = (part: EmailPart): string => {
  if (part.kind === "sentence") return part.text;
  if (part.kind === "link") return `${part.words}: ${part.link}`;
  if (part.kind === "heading") return [`== ${part.text}`, part.note, part.link].filter(Boolean).join("\n");
  const quoted = part.text.split("\n").map((line) => `> ${line}`.trimEnd());
  return [`${part.by} · ${part.at}`, ...quoted, part.link].filter(Boolean).join("\n");
};

/** Plain-text version of an email; what mail clients treat as a signature comes last. */
export function renderEmailText({ answerLine, parts, act, footer, community }: EmailContent): string {
  const end = [
    "-- ",
    community,
    ...(footer?.lines ?? []),
    ...(footer?.links ?? []).map(({ words, link }) => `${words}: ${link}`),
  ];
  return [
    ...(answerLine ? [answerLine] : []),
    ...parts.map(partToText),
    ...(act ? [`${act.button}: ${act.link}`] : []),
    end.join("\n"),
  ].join("\n\n");
}
