import type { Mark } from "#community/search";

/** A text with the matching words highlighted. */
export function HighlightedText({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const parts = marks.map(({ from, to }, i) => ({
    from,
    before: text.slice(marks[i - 1]?.to ?? 0, from),
    word: text.slice(from, to),
  }));
  return (
    <>
      {parts.map(({ from, before, word }) => (
        <span key={from}>
          {before}
          <mark>{word}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  );
}
