const LINE = /^([\w.-]{1,60})\s*:\s*(.{1,500})$/;
/** Parses lines of `name: value` into an object; null if a line has another form. */
export function parseKeyValueLines(lines: string): Record<string, string> | null {
  const read = lines.split("\n").flatMap((line) => (line.trim() === "" ? [] : [LINE.exec(line.trim())]));
  return read.includes(null) ? null : Object.fromEntries(read.map((it) => [it![1]!, it![2]!]));
}
/** Formats an object as lines of `name: value`. */
export const formatKeyValueLines = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
