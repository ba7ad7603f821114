import { useWords } from "../words/index.ts";

export default function TooLong({ over }: { over: number }) {
  const t = useWords();
  return t("{count, plural, one {# character too many.} other {# characters too many.}}", { count: over });
}
