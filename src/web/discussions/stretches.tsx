import type { Change } from "./text-changes.ts";

/** A text with its insertions and deletions. */
export const Stretches = ({ changes }: { changes: Change[] }) => changes.map((change, i) => <Stretch key={i} change={change} />);

function Stretch({ change: { text, is } }: { change: Change }) {
  if (is === "added") return <ins className="rounded-control bg-accent-soft text-ink decoration-accent">{text}</ins>;
  if (is === "removed") return <del className="rounded-control bg-red-soft text-ink decoration-red">{text}</del>;
  return text;
}
