/**
 * Parses a pattern in which `*` matches any text. Returns the prefix of all matches and a matcher, which
 * scans a text only once even for many asterisks.
 */
export function parseGlob(pattern: string): { begin: string; matches: (text: string) => boolean } {
  const [begin = "", ...rest] = pattern.split(/\*+/);
  const end = rest.pop();
  if (end === undefined) return { begin, matches: (text) => text === pattern };
  return {
    begin,
    matches(text) {
      if (!text.startsWith(begin)) return false;
      let at = begin.length;
      for (const part of rest) {
        const found = text.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
      }
      return text.length - end.length >= at && text.endsWith(end);
    },
  };
}
