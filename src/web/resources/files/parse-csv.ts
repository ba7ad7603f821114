/** Parses CSV text (RFC 4180) into rows of fields. The separator is detected from the first line. */
export function parseCsv(text: string): string[][] {
  const separator = detectSeparator(text);
  const rows: string[][] = [[]];
  let field = "";
  let quoted = false;
  const endField = () => {
    rows.at(-1)!.push(field);
    field = "";
  };
  const signs = text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\n+$/, "");
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at]!;
    if (quoted && sign === '"' && signs[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (quoted) {
      if (sign === '"') quoted = false;
      else field += sign;
    } else if (sign === '"' && field === "") quoted = true;
    else if (sign === separator) endField();
    else if (sign === "\n") {
      endField();
      rows.push([]);
    } else field += sign;
  }
  endField();
  return rows.filter((row) => row.some((value) => value !== ""));
}

function detectSeparator(text: string): string {
  const first = text.slice(0, text.indexOf("\n") === -1 ? undefined : text.indexOf("\n"));
  const counted = [",", ";", "\t"].map((sign) => [sign, first.split(sign).length] as const);
  return counted.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
