import { msg } from "#platform/messages";
import { sql } from "#platform/database";
import type { Caller, Catalogue, Column, SqlFragment, Relation, Table } from "../catalogue/types.ts";
import { bindTerm, type NameScope } from "../clause/bind.ts";
import { castTerm } from "../clause/coerce.ts";
import { clauseFault, columnNotFound, truncateQuote } from "../clause/clause-errors.ts";
import { parseClause } from "../clause/clause-parser.ts";
import type { NamePath } from "../clause/clause-syntax.ts";
import type { ValueKind, Term } from "../clause/clause-terms.ts";
import { assertAllowed, allowedRowsSql } from "../permissions/row-permissions.ts";

/** Context of a query: the caller, the table, and the alias of the table in SQL. */
export type QueryContext = { catalogue: Catalogue; caller: Caller; table: Table; alias: string };

/** A resolved column of the queried table or of a joined one. */
export type ResolvedColumn = {
  name: string;
  table: Table;
  column: Column;
  /** The alias of the table in SQL. */
  alias: string;
  /** The expression of a computed column, null for a stored one. */
  worked: Term<ResolvedColumn> | null;
};

/** A join, made because a name leads through the relation. `inverse`: from the child to its parents. */
export type TableJoin = {
  alias: string;
  from: AliasedTable;
  table: Table;
  relation: Relation;
  inverse: boolean;
};
type AliasedTable = { table: Table; alias: string };

const MAX_JOINS = 8;
const MAX_EXPRESSIONS = 10;
/** Maximum uses of columns that depend on the caller. Each is a subquery, which takes about 3 ms to plan. */
const MAX_CALLER_COLUMNS = 100;

export const columnKind = ({ type }: Column): ValueKind => COLUMN_KINDS[type];

const COLUMN_KINDS: Record<Column["type"], ValueKind> = {
  STRING: "text",
  TEXT: "text",
  FILE_REF: "text",
  STRING_ID: "text",
  INT: "number",
  DOUBLE: "number",
  BOOLEAN: "boolean",
  DATETIME: "date",
  JSON: "json",
  POINT: "geometry",
  LINESTRING: "geometry",
  POLYGON: "geometry",
  GEOMETRY: "geometry",
};

/**
 * Resolves the names of one clause: columns visible to the caller, and relations to tables that the caller
 * may read. A class, because it collects the joins.
 */
export class QuerySources implements NameScope<ResolvedColumn> {
  readonly joins: TableJoin[] = [];
  readonly aggregates: boolean;
  readonly #context: QueryContext;
  readonly #prefix: string;
  readonly #most: number;
  readonly #known = new Map<string, TableJoin>();
  #worked = 0;
  #seen = 0;

  /** Aliases of joined tables begin with `prefix`; there are at most `joins` of them. */
  constructor(context: QueryContext, prefix: string, { aggregates = false, joins = MAX_JOINS } = {}) {
    this.#context = context;
    this.#prefix = prefix;
    this.#most = joins;
    this.aggregates = aggregates;
  }

  get alias(): string {
    return this.#context.alias;
  }

  find = ({ names, inverse }: NamePath): { ref: ResolvedColumn; kind: ValueKind } => {
    let table: AliasedTable = inverse ? this.#inverse(inverse) : this.#context;
    for (const name of names.slice(0, -1)) table = this.#through(table, name);
    return this.#column(table, names.at(-1)!);
  };

  #column(source: AliasedTable, name: string): { ref: ResolvedColumn; kind: ValueKind } {
    const { table, alias } = source;
    const column = table.columns.get(name);
    // The name of a relation without a column means the id of the related record.
    if (!column && table.relations.has(name)) return this.#column(this.#through(source, name), "objectId");
    if (!column || column.hidden?.(this.#context.caller)) throw columnNotFound(name, table.name);
    if (column.seen && !column.among && !column.ofRow && ++this.#seen > MAX_CALLER_COLUMNS)
      throw clauseFault(
        msg("One part of a query can use columns with per-user values {count} times at most.", {
          count: MAX_CALLER_COLUMNS,
        }),
      );
    const kind = columnKind(column);
    const worked = column.expression === null ? null : this.#work(source, column.expression, kind);
    return { kind, ref: { name, table, column, alias, worked } };
  }

  /** Resolves the expression of a computed column for its table. */
  #work(table: AliasedTable, expression: string, kind: ValueKind): Term<ResolvedColumn> {
    if (++this.#worked > MAX_EXPRESSIONS)
      throw clauseFault(
        msg("A clause can have at most {count} calculated columns.", { count: MAX_EXPRESSIONS }),
      );
    const find = ({ names, inverse }: NamePath) =>
      this.#column(table, inverse ? inverse.table : names.join("."));
    return castTerm(bindTerm(parseClause(expression), { aggregates: false, find }), kind);
  }

  #through(from: AliasedTable, name: string): AliasedTable {
    const relation = from.table.relations.get(name);
    const to = relation && this.#context.catalogue.known(relation.toTable);
    if (!to) throw columnNotFound(name, from.table.name);
    return this.#join(`${from.alias}.${name}`, { from, table: to, relation, inverse: false });
  }

  #inverse({ table: name, relation: relationName }: { table: string; relation: string }): AliasedTable {
    const { catalogue, table } = this.#context;
    const parent = catalogue.known(name);
    const relation = parent?.relations.get(relationName);
    if (!parent || relation?.toTable !== table.name)
      throw clauseFault(
        msg("The table ''{other_table}'' has no relation ''{name}'' to the table ''{table}''.", {
          table: table.name,
          name: truncateQuote(relationName),
          other_table: truncateQuote(name),
        }),
      );
    return this.#join(`${name}[${relationName}]`, {
      from: this.#context,
      table: parent,
      relation,
      inverse: true,
    });
  }

  #join(key: string, join: Omit<TableJoin, "alias">): AliasedTable {
    const known = this.#known.get(key);
    if (known) return known;
    if (this.joins.length >= this.#most)
      throw clauseFault(
        msg("A property path can lead through {count} relations at most.", { count: this.#most }),
      );
    assertAllowed(join.table, this.#context.caller, "find");
    const made = { ...join, alias: `${this.#prefix}${this.joins.length + 1}` };
    this.#known.set(key, made);
    this.joins.push(made);
    return made;
  }
}

export const tableSql = (table: Table): SqlFragment => sql`${sql.id(table.schema, table.sqlName)}`;
export const idSql = ({ table, alias }: AliasedTable): SqlFragment =>
  sql`${sql.id(alias, table.columns.get("objectId")!.sqlName)}`;

/**
 * Aliases of parents and children. They are longer than one letter, so that they never collide with those in
 * conditions of API entities.
 */
export const [PARENT, CHILD] = ["t_p", "t_c"] as const;

/** SQL condition that the id of a row is one of these. */
export const idInSql = (table: AliasedTable, ids: string[]): SqlFragment =>
  table.table.columns.get("objectId")!.among?.(table.alias, ids) ?? sql`${idSql(table)} = any(${ids})`;

/**
 * SQL for an id in a link table, in the type of the target table's id. The cast cannot fail, since linked
 * records exist.
 */
const linkSql = (links: string, column: string, { table }: AliasedTable): SqlFragment =>
  table.columns.get("objectId")!.storedAs === "uuid"
    ? sql`${sql.id(links, column)}::text::uuid`
    : sql`${sql.id(links, column)}`;

/** FROM and ON of a join with the related rows that the caller may read. */
export function joinSql(join: TableJoin, caller: Caller): { source: SqlFragment; on: SqlFragment } {
  const { alias, from, table, inverse } = join;
  const { via } = join.relation;
  const target = sql`${tableSql(table)} as ${sql.id(alias)}`;
  const visible = sql`(${allowedRowsSql(table, caller, "FIND", alias)})`;
  const [parent, child] = inverse ? [join, from] : [from, join];
  if ("childColumn" in via)
    return {
      source: target,
      on: sql`${sql.id(child.alias, via.childColumn)} = ${idSql(parent)} and ${visible}`,
    };
  if ("parentColumn" in via)
    return {
      source: target,
      on: sql`${sql.id(parent.alias, via.parentColumn)} = ${idSql(child)} and ${visible}`,
    };
  const links = `${alias}_l`;
  const [near, far] = inverse ? ["child", "parent"] : ["parent", "child"];
  const source = sql`(${sql.id(via.links.schema, via.links.name)} as ${sql.id(links)}
    join ${target} on ${idSql(join)} = ${linkSql(links, far, join)} and ${visible})`;
  return { source, on: sql`${linkSql(links, near, from)} = ${idSql(from)}` };
}
