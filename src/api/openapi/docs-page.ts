import { createHash } from "node:crypto";
import { toEnglish } from "#platform/messages";
import { type ApiEntity, API_ENTITIES } from "#community/api-entities";
import { getInputSchema, unsupportedReason } from "#community/services";
import { ENDPOINTS } from "../rest/index.ts";
import { formatPath } from "./describe-endpoint.ts";
import type { ApiDescription } from "./openapi.ts";

/** The page is self-contained: no script, font or external resource. */
const STYLE = `
:root{color-scheme:light dark;--paper:#faf8f4;--ink:#1e2227;--quiet:#5b6169}
:root{--line:#ddd8ce;--accent:#0b6b5d;--sunken:#f1ede5}
@media(prefers-color-scheme:dark){:root{--paper:#15171b;--ink:#ece8e1;--quiet:#a8a49c}
:root{--line:#34373d;--accent:#5cc8b5;--sunken:#1e2126}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 system-ui,sans-serif;overflow-wrap:anywhere}
main,nav{max-inline-size:52rem;margin-inline:auto;padding-inline:1.25rem}
nav{padding-block:1rem;border-block-end:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
main{padding-block:2rem 5rem}
h1{font-size:2rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.5rem;line-height:1.3;margin:3rem 0 .5rem}h3{font-size:1.125rem;margin:2rem 0 .25rem}
p{margin:.5rem 0;max-inline-size:42rem}.quiet{color:var(--quiet)}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible,summary:focus-visible,pre:focus-visible,.scroll:focus-visible
{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font:.9375rem/1.55 ui-monospace,monospace}code{color:inherit}
pre{background:var(--sunken);padding:1rem;overflow-x:auto;border-radius:6px}
details{border-block-end:1px solid var(--line)}summary{padding-block:.65rem;cursor:pointer}
summary code{font-weight:600}summary span{color:var(--quiet);margin-inline-start:.75rem}
details>:not(summary){margin-inline-start:1.1rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin-block:.5rem 1rem;inline-size:100%;font-size:.9375rem}
th,td{text-align:start;vertical-align:top;padding:.35rem 1rem .35rem 0;border-block-end:1px solid var(--line)}
th{font-weight:600;color:var(--quiet)}td code{white-space:nowrap}
`;

/** Content security policy: the page's own style only. */
export const DOCS_CONTENT_POLICY =
  `default-src 'none'; style-src ` +
  `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const HTML_ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => HTML_ESCAPES[letter]!);
/** Formats a text as HTML; text in backticks becomes code. */
const formatText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
const formatCode = (text: string) => `<code>${escapeHtml(text)}</code>`;

const formatTable = (heads: string[], rows: string[][]) =>
  rows.length === 0
    ? ""
    : `<div class="scroll" tabindex="0"><table><thead><tr>${heads
        .map((it) => `<th scope="col">${it}</th>`)
        .join("")}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((it) => `<td>${it}</td>`).join("")}</tr>`)
        .join("")}</tbody></table></div>`;

/** Renders the documentation page: entities, what saving them does, and every service with its input. */
export function renderDocsPage({ base, services }: ApiDescription): string {
  const [url, appId, key] = [new URL(base).origin, ...new URL(base).pathname.split("/").slice(1)];
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Kith</title><style>${STYLE}</style></head><body>
<nav aria-label="On this page"><a href="/">Kith</a><a href="#begin">Getting started</a>
<a href="#entities">Entities</a><a href="#services">Services</a><a href="#calls">Endpoints</a>
<a href="/api/docs/openapi.json">OpenAPI</a></nav>
<main>
<h1>API</h1>
<p>The community and your own data tables, in the protocol of Backendless clients.
An API client has exactly the permissions that the person signed in with it has on the pages.</p>
<h2 id="begin">Getting started</h2>
<p>Use the published client with the address of this server:</p>
<pre tabindex="0">${escapeHtml(`import Backendless from "backendless";

Backendless.serverURL = "${url}";
Backendless.initApp("${appId}", "${key}");

await Backendless.UserService.login("you@example.org", "…");
const posts = await Backendless.Data.of("Posts").find({ where: "discussionId = '…'", sortBy: "number" });
await Backendless.Data.of("Posts").save({ discussionId: "…", text: "After the ice saints." });
await Backendless.CustomServices.invoke("Groups", "join", { groupId: "…" });`)}</pre>
<p>Without a client, send requests to ${formatCode(base)} with a path from below,
and the token of a session in the header ${formatCode("user-token")}.
Errors have a ${formatCode("message")} and a ${formatCode("code")}.</p>
<h2 id="entities">Entities</h2>
<p>Tables like any other, with conditions, sorting, relations, groups and counts.
Each contains the records that the caller may read.
A column that they may not read is null, also in conditions and sorting.</p>
${API_ENTITIES.map(renderEntity).join("\n")}
<h2 id="services">Services</h2>
<p>Every command of the pages: <code>POST /services/{service}/{method}</code> with its input as JSON.</p>
${[...new Set(services.map(({ service }) => service))].map((name) => renderService(name, services)).join("\n")}
<h2 id="calls">Endpoints</h2>
<p class="quiet">Paths are relative to ${formatCode(base)}.</p>
${formatTable(
  ["Method", "Path", "Description"],
  ENDPOINTS.map((it) => [formatCode(it.method), formatCode(formatPath(it.path)), formatText(it.summary)]),
)}
</main></body></html>`;
}

function renderEntity(entity: ApiEntity): string {
  const relations = entity.relations.map(({ name, toTable, kind }) => [
    formatCode(name),
    kind === "ONE_TO_MANY" ? `several ${formatCode(toTable)}` : formatCode(toTable),
  ]);
  const saving = (["create", "update", "remove"] as const).map((act) => [
    ACTION_LABELS[act],
    formatText(toEnglish(unsupportedReason(entity.name, act) ?? "As on the page.")),
  ]);
  const summary = `${formatCode(entity.name)}<span>${formatText(entity.about)}</span>`;
  return `<details id="${entity.name}"><summary>${summary}</summary>
${formatTable(
  ["Column", "Type"],
  entity.columns.map(({ name, type }) => [formatCode(name), escapeHtml(type)]),
)}${formatTable(["Relation", "Table"], relations)}${formatTable(["Action", "Effect"], saving)}</details>`;
}
const ACTION_LABELS = { create: "Create", update: "Update", remove: "Delete" };

function renderService(name: string, services: ApiDescription["services"]): string {
  const own = services.filter(({ service }) => service === name);
  return `<h3>${escapeHtml(name)}</h3>
${own
  .map(
    (it) =>
      `<details><summary>${formatCode(it.name)}<span>${formatText(it.about)}</span></summary>` +
      `${renderInput(it)}</details>`,
  )
  .join("\n")}`;
}

type Schema = {
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
} & Record<string, unknown>;

function renderInput({ service, name, input, schema: given }: ApiDescription["services"][number]): string {
  const schema = (given ?? getInputSchema({ input })) as Schema;
  const { properties = {}, required = [] } = schema.anyOf?.find((it) => it.properties) ?? schema;
  const rows = Object.entries(properties).map(([key, it]) => [
    formatCode(key),
    escapeHtml(describeType(it)),
    required.includes(key) ? "yes" : "",
  ]);
  const fields =
    rows.length === 0 ? "<p>It takes nothing.</p>" : formatTable(["Field", "What", "Needed"], rows);
  return `<p>${formatCode(`POST /services/${service}/${name}`)}</p>${fields}`;
}

/** Describes a schema by a short type name. */
function describeType(schema: Schema): string {
  const { type, enum: choices, anyOf, items, format, maxLength, minimum, maximum, description } = schema;
  if (choices) return choices.map(String).join(" | ");
  if (anyOf) return [...new Set(anyOf.map(describeType))].join(", or ");
  const bounds = [
    maxLength !== undefined && `up to ${String(maxLength)} characters`,
    minimum !== undefined && Math.abs(Number(minimum)) < 1e12 && `from ${String(minimum)}`,
    maximum !== undefined && Math.abs(Number(maximum)) < 1e12 && `to ${String(maximum)}`,
  ].filter((it) => it !== false);
  const kind =
    type === "array" && items ? `list of ${describeType(items)}` : String(format ?? type ?? "anything");
  return [kind, ...bounds, ...(description ? [String(description)] : [])].join(", ");
}
