import type { TextChange } from "./diff-texts.ts";

/** A text with its insertions and deletions. */
export const TextDiff = ({ changes }: { changes: TextChange[] }) =>
  changes.map((change, i) => <DiffPart key={i} change={change} />);

function DiffPart({ change: { text, is } }: { change: TextChange }) {
  if (is === "added")
    return <ins className="rounded-control bg-accent-soft text-ink decoration-accent">{text}</ins>;
  if (is === "removed")
    return <del className="rounded-control bg-red-soft text-ink decoration-red">{text}</del>;
  return text;
}
