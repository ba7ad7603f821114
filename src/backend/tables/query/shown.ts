import { sql, textOf } from "#platform/database";
import type { Caller, Fragment, Table, WireRecord } from "../catalogue/types.ts";
import { bind } from "../clause/bind.ts";
import { clauseFault } from "../clause/fault.ts";
import { type Listed, parseList } from "../clause/parse.ts";
import type { Syntax } from "../clause/syntax.ts";
import { AGGREGATES, type Kind, type Term } from "../clause/tree.ts";
import type { Asked } from "./asked.ts";
import type { Row } from "./run.ts";
import type { Found, Sources } from "./sources.ts";
import { isPlain, toSql } from "./sql.ts";

/** A property of the answer: its name and its term. */
export type Shown = { key: string; term: Term<Found> };

/**
 * The requested properties; by default all columns visible to the caller.
 * @throws for an unknown one
 */
export function shownIn(table: Table, caller: Caller, { props, excludeProps, fileReferencePrefix }: Asked, sources: Sources): Shown[] {
  if (!table.noun && !props?.trim() && !excludeProps && !fileReferencePrefix) return everyColumn(table, caller, sources);
  const asked = parseList(props ?? "", "alias");
  const list: Listed[] = asked.length === 0 ? [{ of: "*", text: "*", alias: null, direction: null }] : asked;
  const left = new Set((excludeProps ?? "").split(",").map((name) => name.trim()));
  const shown = new Map<string, Term<Found>>();
  for (const { of, text, alias } of list) {
    if (of === "*") for (const it of everyColumn(table, caller, sources)) shown.set(it.key, it.term);
    else shown.set(alias ?? keyOf(of, text), bind(of, sources));
  }
  if (shown.size > MOST) throw clauseFault(`A query can ask for ${MOST} properties at most.`);
  for (const key of RESERVED) if (shown.has(key)) throw clauseFault(`A property cannot be called ${key}.`);
  const kept = [...shown].map(([key, term]) => ({ key, term })).filter(({ key }) => !left.has(key));
  return withFiles(kept, fileReferencePrefix);
}

/** Adds the prefix to file references. */
export function withFiles(shown: Shown[], prefix: string | null | undefined): Shown[] {
  if (!prefix) return shown;
  const before: Term<Found> = { is: "value", kind: "text", value: prefix };
  return shown.map(({ key, term }) => {
    const isFile = term.is === "column" && term.ref.column.type === "FILE_REF";
    return { key, term: isFile ? { is: "call", kind: "text", name: "concat", args: [before, term] } : term };
  });
}

/** Properties of one record: all columns, and some computed ones. */
const MOST = 300;
const RESERVED = ["___class", "__proto__"];

/** By table and alias: all columns of tables that look the same to everyone. */
const whole = new WeakMap<Table, Map<string, Shown[]>>();
/** Their SELECT lists. */
const written = new WeakMap<Shown[], Fragment>();

/** All columns visible to the caller. Tables that look the same to everyone are resolved and written once. */
export function everyColumn(table: Table, caller: Caller, sources: Sources): Shown[] {
  const known = whole.get(table)?.get(sources.alias);
  if (known) return known;
  const columns = [...table.columns.values()];
  const shown: Shown[] = columns
    .filter(({ hidden }) => !hidden?.(caller))
    .map(({ name }) => ({ key: name, term: { is: "column", ...sources.find({ is: "path", at: 0, names: [name] }) } }));
  if (!table.noun && !columns.some(({ hidden, seen }) => hidden ?? seen)) keepWhole(table, sources.alias, shown, caller);
  return shown;
}

function keepWhole(table: Table, alias: string, shown: Shown[], caller: Caller) {
  const text = textOf(selected(shown, caller));
  if (text === null) return;
  written.set(shown, sql.raw(text));
  if (!whole.has(table)) whole.set(table, new Map());
  whole.get(table)!.set(alias, shown);
}

/** Clients need ids to match records, in tables with relations to them. */
export function withId(shown: Shown[], table: Table, { props, excludeProps }: Asked, sources: Sources, always = false): Shown[] {
  const needed = props?.trim() ? always || table.relations.size > 0 : excludeProps?.trim();
  if (!needed || shown.some(({ key }) => key === "objectId")) return shown;
  return [...shown, { key: "objectId", term: { is: "column", ...sources.find({ is: "path", at: 0, names: ["objectId"] }) } }];
}

/** Only the end of a path is searched, since the pattern restarts at every character. */
const LAST_KEY = /([\p{L}\p{N}_$]+)["\]]*$/u;
const LONGEST_KEY = 200;

/** The default name of a property: its column, `count`, `Time`, the last key of a JSON path, or its text. */
function keyOf(of: Syntax, text: string): string {
  if (of.is === "path") return (of.json && LAST_KEY.exec(of.json.slice(-LONGEST_KEY))?.[1]) || of.names.at(-1)!;
  if (of.is !== "call") return text;
  const name = of.name.toLowerCase();
  return (AGGREGATES as readonly string[]).includes(name) ? name : name.charAt(0).toUpperCase() + name.slice(1);
}

/** SELECT list with short names; calculated numbers are converted from decimals. */
export function selected(shown: Shown[], caller: Caller, prefix = "s"): Fragment {
  const known = prefix === "s" ? written.get(shown) : undefined;
  if (known) return known;
  return sql.join(shown.map(({ term }, at) => sql`${leavingSql(term, caller)} as ${sql.id(`${prefix}${at}`)}`));
}

function leavingSql(term: Term<Found>, caller: Caller): Fragment {
  const value = toSql(term, caller);
  const isAsItIs = term.kind !== "number" || (isPlain(term) && term.is !== "value");
  return isAsItIs ? value : sql`(${value})::double precision`;
}

/** Cached names: creating them per row takes longer than reading the row. */
const names: string[] = [];
const nameAt = (at: number): string => (names[at] ??= `s${at}`);

/** A row as a record in API format. */
export function recordOf(table: Table, shown: Shown[], row: Row): WireRecord {
  const record: WireRecord = { ___class: table.name };
  for (let at = 0; at < shown.length; at++) {
    const { key, term } = shown[at]!;
    record[key] = leaving(row[nameAt(at)], term.kind);
  }
  return record;
}

export function leaving(value: unknown, kind: Kind): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  return kind === "geometry" ? { ___class: `com.backendless.persistence.${(value as { type: string }).type}`, ...value } : value;
}
