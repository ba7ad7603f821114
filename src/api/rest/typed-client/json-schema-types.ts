import { isObject } from "#platform/objects";

type Schema = Record<string, unknown>;

/** Maximum depth of a schema; deeper parts become `unknown`. Only schemas of extensions may be that deep. */
const MAX_DEPTH = 12;
const SIMPLE: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The TypeScript type of a JSON Schema; `unknown` for what TypeScript cannot express. */
export function schemaToTypeScript(it: unknown, depth = 0): string {
  if (!isObject(it) || depth > MAX_DEPTH) return "unknown";
  if (Array.isArray(it["enum"])) return joinTypes(it["enum"].map((value) => JSON.stringify(value)));
  if ("const" in it) return JSON.stringify(it["const"]);
  const choices = it["anyOf"] ?? it["oneOf"];
  if (Array.isArray(choices)) return joinTypes(choices.map((each) => schemaToTypeScript(each, depth + 1)));
  if (Array.isArray(it["type"]))
    return joinTypes(it["type"].map((type: unknown) => schemaToTypeScript({ ...it, type }, depth + 1)));
  if (it["type"] === "array")
    return `${schemaToTypeScript(it["items"], depth + 1)}[]`.replace(/^(.* \| .*)\[\]$/s, "($1)[]");
  if (it["type"] === "object") return objectType(it, depth);
  return SIMPLE[String(it["type"])] ?? "unknown";
}

function objectType(it: Schema, depth: number): string {
  const properties = isObject(it["properties"]) ? Object.entries(it["properties"]) : [];
  if (properties.length === 0) {
    const values = schemaToTypeScript(it["additionalProperties"], depth + 1);
    return `Record<string, ${values}>`;
  }
  const required: unknown[] = Array.isArray(it["required"]) ? it["required"] : [];
  const indent = "  ".repeat(depth + 2);
  const lines = properties.map(
    ([name, each]) =>
      `${indent}${propertyName(name)}${required.includes(name) ? "" : "?"}: ${schemaToTypeScript(each, depth + 1)};`,
  );
  return `{\n${lines.join("\n")}\n${indent.slice(2)}}`;
}

/** Joins the types of alternatives, each once. */
const joinTypes = (types: string[]): string => [...new Set(types)].join(" | ") || "unknown";

/** A property name, quoted where TypeScript needs it. */
export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
