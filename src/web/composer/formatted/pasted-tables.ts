/** Maximum number of cells that a pasted table keeps. */
const MAX_CELLS = 2_000;

/** Writes an HTML table as a Markdown table of plain texts. */
export function tableToMarkdown(table: HTMLElement): string {
  let left = MAX_CELLS;
  const rows = [...table.querySelectorAll("tr")]
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cellText(cell)))
    .filter(({ length }) => length > 0 && (left -= length) >= 0);
  const columns = Math.max(1, ...rows.map(({ length }) => length));
  const write = (cells: string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => cells[at] ?? "").join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [write(head), `|${" --- |".repeat(columns)}`, ...body.map(write)].join("\n");
}

const cellText = (cell: Element) =>
  (cell.textContent ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\|`*_[\]~]/g, "\\$&");
