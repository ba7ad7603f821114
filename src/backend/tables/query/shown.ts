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

/** One property of the records that are answered: its name, and what stands in it. */
export type Shown = { key: string; term: Term<Found> };

/** The properties that somebody asks for: all columns that they may know of unless they say which. Throws for one that is not there. */
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

/** References to files with what is to stand before them. */
export function withFiles(shown: Shown[], prefix: string | null | undefined): Shown[] {
  if (!prefix) return shown;
  const before: Term<Found> = { is: "value", kind: "text", value: prefix };
  return shown.map(({ key, term }) => {
    const isFile = term.is === "column" && term.ref.column.type === "FILE_REF";
    return { key, term: isFile ? { is: "call", kind: "text", name: "concat", args: [before, term] } : term };
  });
}

/** Properties of one record: as many as a table has columns, and some that are worked out. */
const MOST = 300;
const RESERVED = ["___class", "__proto__"];

/** By table and alias: all columns of a table that is the same to everybody. */
const whole = new WeakMap<Table, Map<string, Shown[]>>();
/** What SELECT says for those. */
const written = new WeakMap<Shown[], Fragment>();

/** All columns of a table that a caller may know of. Where everybody knows the same, they are looked up and written down once. */
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

/** Clients find their objects again by their ids, in tables whose rows others are related to. */
export function withId(shown: Shown[], table: Table, { props, excludeProps }: Asked, sources: Sources, always = false): Shown[] {
  const needed = props?.trim() ? always || table.relations.size > 0 : excludeProps?.trim();
  if (!needed || shown.some(({ key }) => key === "objectId")) return shown;
  return [...shown, { key: "objectId", term: { is: "column", ...sources.find({ is: "path", at: 0, names: ["objectId"] }) } }];
}

/** Looked for in the end of a path alone: the expression begins anew at each character. */
const LAST_KEY = /([\p{L}\p{N}_$]+)["\]]*$/u;
const LONGEST_KEY = 200;

/** How a property is called whom nobody gave a name: its column, `count`, `Time`, the last key of a JSON path, or its own text. */
function keyOf(of: Syntax, text: string): string {
  if (of.is === "path") return (of.json && LAST_KEY.exec(of.json.slice(-LONGEST_KEY))?.[1]) || of.names.at(-1)!;
  if (of.is !== "call") return text;
  const name = of.name.toLowerCase();
  return (AGGREGATES as readonly string[]).includes(name) ? name : name.charAt(0).toUpperCase() + name.slice(1);
}

/** The value of a property under a short name of ours; what was calculated leaves as a number again. */
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

/** Of the values of a row, written once for as many as there may be: making them anew for each row takes longer than reading it. */
const names: string[] = [];
const nameAt = (at: number): string => (names[at] ??= `s${at}`);

/** A row as the record that leaves. */
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
