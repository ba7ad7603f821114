/** Content of an email. Templates render its HTML; its plain text is rendered in this module. */
export type EmailContent = {
  /** Two-letter code; also decides the text direction. */
  language: string;
  community: string;
  subject: string;
  /** Shown after the subject in a mail client's list. */
  preheader?: string;
  /** Line above which a reply is written, with the code that identifies the mail. */
  answerLine?: string;
  parts: EmailPart[];
  /** The one button of the mail. */
  act: { button: string; link: string } | null;
  /** Calendar part of an invitation, for which mail programs show buttons. */
  calendar?: { method: string; text: string };
  /** Footer: why the mail was sent and where to change that. */
  footer?: { lines: string[]; links: { words: string; link: string }[] };
};

export type EmailPart =
  | { kind: "sentence"; text: string }
  /** `language` of the text, if it may differ from the mail's. */
  | { kind: "heading"; text: string; language?: string; link?: string; note?: string }
  | { kind: "link"; words: string; link: string }
  /** Excerpt of a person's text. `title`: `by` is the title of the text, in its language. */
  | { kind: "said"; by: string; title?: true; at: string; text: string; language?: string; link?: string };

const partToText = (part: EmailPart): string => {
  if (part.kind === "sentence") return part.text;
  if (part.kind === "link") return `${part.words}: ${part.link}`;
  if (part.kind === "heading") return [`== ${part.text}`, part.note, part.link].filter(Boolean).join("\n");
  const quoted = part.text.split("\n").map((line) => `> ${line}`.trimEnd());
  return [`${part.by} · ${part.at}`, ...quoted, part.link].filter(Boolean).join("\n");
};

/** Renders the plain-text version of an email. Text that mail clients treat as a signature is placed last. */
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
