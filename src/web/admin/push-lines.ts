const LINE = /^([\w.-]{1,60})\s*:\s*(.{1,500})$/;
/** `name: value`, one on each line, as an object; null where a line is something else. */
export function valuesIn(lines: string): Record<string, string> | null {
  const read = lines.split("\n").flatMap((line) => (line.trim() === "" ? [] : [LINE.exec(line.trim())]));
  return read.includes(null) ? null : Object.fromEntries(read.map((it) => [it![1]!, it![2]!]));
}
/** The same, to be written again. */
export const linesOf = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
