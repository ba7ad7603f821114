import type { OwnFile } from "./make-personal-export.ts";
import type { PersonalExportPart } from "./personal-rows.ts";

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The start page of an export with its contents, readable offline. */
export const renderExportPage = (
  name: string,
  parts: PersonalExportPart[],
  counts: Record<string, number>,
  files: OwnFile[],
): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(name)}</title>
<style>body{font:1.05rem/1.6 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
body{color:#1e2227;background:#faf8f4}
td{padding:.2rem 1rem .2rem 0;vertical-align:top;overflow-wrap:anywhere}a{color:#0b6b5d}</style>
<h1>${escapeHtml(name)}</h1>
<p>All your data in a readable format, without what others wrote.</p>
<table>
${parts.map(({ file, about }) => renderRow(file, about, `${counts[file] ?? 0}`)).join("\n")}
</table>
<h2>Files</h2>
${files.length === 0 ? "<p>You have no uploads." : ""}<table>
${files.map((file) => renderRow(file.place, file.name, `${Math.ceil(file.size / 1000)} kB`)).join("\n")}
</table>
</html>
`;

const renderRow = (address: string, text: string, amount: string) =>
  `<tr><td><a href="${escapeHtml(address)}">${escapeHtml(text)}</a><td>${amount}`;
