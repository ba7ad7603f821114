import { msg } from "#platform/messages";
import { sql, sqlToText } from "#platform/database";
import type { Caller, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import { bindTerm } from "../clause/bind.ts";
import { clauseFault } from "../clause/clause-errors.ts";
import { type ListItem, parseList } from "../clause/clause-parser.ts";
import type { SyntaxNode } from "../clause/clause-syntax.ts";
import { AGGREGATES, type ValueKind, type Term } from "../clause/clause-terms.ts";
import type { QueryParams } from "./query-params.ts";
import type { SqlRow } from "./run-query.ts";
import type { ResolvedColumn, QuerySources } from "./query-sources.ts";
import { isNativeNumber, toSql } from "./term-sql.ts";

/** A property of the answer: its name and its term. */
export type SelectedProperty = { key: string; term: Term<ResolvedColumn> };

/**
 * Selects the requested properties that belong to the records themselves; by default all columns visible to
 * the caller.
 * @throws for an unknown property
 */
export function selectProperties(
  table: Table,
  caller: Caller,
  { props, excludeProps, fileReferencePrefix }: QueryParams,
  sources: QuerySources,
  isOwn: (item: ListItem) => boolean = () => true,
): SelectedProperty[] {
  if (!table.entity && !props?.trim() && !excludeProps && !fileReferencePrefix)
    return selectEveryColumn(table, caller, sources);
  const items = parseList(props ?? "", "alias");
  const whole: ListItem = { of: "*", text: "*", alias: null, direction: null };
  const list = items.length === 0 ? [whole] : items.filter(isOwn);
  const left = new Set((excludeProps ?? "").split(",").map((name) => name.trim()));
  const shown = new Map<string, Term<ResolvedColumn>>();
  for (const { of, text, alias } of list) {
    if (of === "*") for (const it of selectEveryColumn(table, caller, sources)) shown.set(it.key, it.term);
    else shown.set(alias ?? propertyKey(of, text), bindTerm(of, sources));
  }
  if (shown.size > MAX_PROPERTIES)
    throw clauseFault(msg("A query can ask for {count} properties at most.", { count: MAX_PROPERTIES }));
  for (const key of RESERVED_KEYS)
    if (shown.has(key)) throw clauseFault(msg("A property cannot be called {name}.", { name: key }));
  const kept = [...shown].map(([key, term]) => ({ key, term })).filter(({ key }) => !left.has(key));
  return addFilePrefix(kept, fileReferencePrefix);
}

/** Adds the prefix to file references. */
export function addFilePrefix(
  shown: SelectedProperty[],
  prefix: string | null | undefined,
): SelectedProperty[] {
  if (!prefix) return shown;
  const before: Term<ResolvedColumn> = { is: "value", kind: "text", value: prefix };
  return shown.map(({ key, term }) => {
    const isFile = term.is === "column" && term.ref.column.type === "FILE_REF";
    return { key, term: isFile ? { is: "call", kind: "text", name: "concat", args: [before, term] } : term };
  });
}

/** Maximum properties of one record: all columns, and some computed ones. */
const MAX_PROPERTIES = 300;
const RESERVED_KEYS = ["___class", "__proto__"];

/** Cached lists of all columns, by table and alias, for tables that look the same to every caller. */
const wholeSelections = new WeakMap<Table, Map<string, SelectedProperty[]>>();
/** Cached SELECT list of each selection. */
const writtenSelections = new WeakMap<SelectedProperty[], SqlFragment>();

/**
 * Selects all columns visible to the caller. For tables that look the same to every caller the result is
 * cached.
 */
export function selectEveryColumn(table: Table, caller: Caller, sources: QuerySources): SelectedProperty[] {
  const known = wholeSelections.get(table)?.get(sources.alias);
  if (known) return known;
  const columns = [...table.columns.values()];
  const shown: SelectedProperty[] = columns
    .filter(({ hidden }) => !hidden?.(caller))
    .map(({ name }) => ({
      key: name,
      term: { is: "column", ...sources.find({ is: "path", at: 0, names: [name] }) },
    }));
  if (!table.entity && !columns.some(({ hidden, seen }) => hidden ?? seen))
    cacheSelection(table, sources.alias, shown, caller);
  return shown;
}

function cacheSelection(table: Table, alias: string, shown: SelectedProperty[], caller: Caller) {
  const text = sqlToText(selectSql(shown, caller));
  if (text === null) return;
  writtenSelections.set(shown, sql.raw(text));
  if (!wholeSelections.has(table)) wholeSelections.set(table, new Map());
  wholeSelections.get(table)!.set(alias, shown);
}

/**
 * Adds the id if the query has left it out, because clients match records by id. If a table has no relations
 * and properties are selected by name, the id is added only with `always`.
 */
export function addObjectId(
  shown: SelectedProperty[],
  table: Table,
  { props, excludeProps }: QueryParams,
  sources: QuerySources,
  always = false,
): SelectedProperty[] {
  const needed = props?.trim() ? always || table.relations.size > 0 : excludeProps?.trim();
  if (!needed || shown.some(({ key }) => key === "objectId")) return shown;
  return [
    ...shown,
    { key: "objectId", term: { is: "column", ...sources.find({ is: "path", at: 0, names: ["objectId"] }) } },
  ];
}

/**
 * Pattern of the last key in a JSON path. It is applied only to the end of a path, because a search with it
 * takes quadratic time.
 */
const LAST_KEY = /([\p{L}\p{N}_$]+)["\]]*$/u;
const MAX_KEY_LENGTH = 200;

/**
 * Returns the default name of a property: its column, `count`, `Time`, the last key of a JSON path, or the
 * text of the expression.
 */
function propertyKey(of: SyntaxNode, text: string): string {
  if (of.is === "path")
    return (of.json && LAST_KEY.exec(of.json.slice(-MAX_KEY_LENGTH))?.[1]) || of.names.at(-1)!;
  if (of.is !== "call") return text;
  const name = of.name.toLowerCase();
  return (AGGREGATES as readonly string[]).includes(name)
    ? name
    : name.charAt(0).toUpperCase() + name.slice(1);
}

/** SELECT list with short names; calculated numbers are converted from exact decimals. */
export function selectSql(shown: SelectedProperty[], caller: Caller): SqlFragment {
  const known = writtenSelections.get(shown);
  if (known) return known;
  return sql.join(shown.map(({ term }, at) => sql`${outputSql(term, caller)} as ${sql.id(`s${at}`)}`));
}

function outputSql(term: Term<ResolvedColumn>, caller: Caller): SqlFragment {
  const value = toSql(term, caller);
  const isAsItIs = term.kind !== "number" || (isNativeNumber(term) && term.is !== "value");
  return isAsItIs ? value : sql`(${value})::double precision`;
}

/** Cached short names: creating them for every row takes longer than reading the row. */
const columnNames: string[] = [];
const columnNameAt = (at: number): string => (columnNames[at] ??= `s${at}`);

/** Converts a row to a record in API format. */
export function toRecord(table: Table, shown: SelectedProperty[], row: SqlRow): ApiRecord {
  const record: ApiRecord = { ___class: table.name };
  for (let at = 0; at < shown.length; at++) {
    const { key, term } = shown[at]!;
    record[key] = toApiValue(row[columnNameAt(at)], term.kind);
  }
  return record;
}

export function toApiValue(value: unknown, kind: ValueKind): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  return kind === "geometry" && typeof value === "object" && "type" in value
    ? { ___class: `com.backendless.persistence.${String(value.type)}`, ...value }
    : value;
}
