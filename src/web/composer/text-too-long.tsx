import { useTranslate } from "../i18n/index.ts";

export default function TextTooLong({ over }: { over: number }) {
  const t = useTranslate();
  return t("{count, plural, one {# character too many.} other {# characters too many.}}", { count: over });
}
