import { getInputSchema } from "#community/services";
import type { z } from "zod";
import { formatPath } from "../../../src/api/openapi/describe-endpoint.ts";
import type { Endpoint } from "../../../src/api/rest/index.ts";

type ListedEndpoint = Pick<Endpoint, "method" | "path" | "summary" | "query" | "body">;

const TABLE = /(<!-- endpoints: (.+) -->\n)[\s\S]*?(<!-- end of endpoints -->)/g;

/**
 * Fills the tables between markers in a text: each lists the endpoints below the paths that its marker
 * names.
 */
export const fillEndpointTables = (text: string, endpoints: readonly ListedEndpoint[]): string =>
  text.replace(TABLE, (_, begin: string, prefixes: string, end: string) => {
    const listed = endpoints.filter(({ path }) =>
      prefixes.split(" ").some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
    );
    const rows = listed.map((it) => `| ${formatCall(it)} | ${formatSummary(it)} |`);
    return `${begin}\n| call | what it does |\n|---|---|\n${rows.join("\n")}\n\n${end}`;
  });

/** Maximum fields in a table; longer lists are described outside it. */
const MAX_FIELDS = 12;

function formatCall({ method, path, query }: ListedEndpoint): string {
  const names = fieldsOf(query).map(({ name }) => `${name}=`);
  const search = names.length > MAX_FIELDS ? "?…" : names.length > 0 ? `?${names.join("&")}` : "";
  return `\`${method} ${formatPath(path)}${search}\``;
}

function formatSummary({ summary, body }: ListedEndpoint): string {
  const fields = fieldsOf(body).map(({ name, required }) => (required ? name : `${name}?`));
  return fields.length > 0 && fields.length <= MAX_FIELDS
    ? `${summary} Takes \`{${fields.join(", ")}}\`.`
    : summary;
}

function fieldsOf(schema: z.ZodType | undefined): { name: string; required: boolean }[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = getInputSchema({ input: schema }) as {
    properties?: object;
    required?: string[];
  };
  return Object.keys(properties).map((name) => ({ name, required: required.includes(name) }));
}
