import { msg } from "#platform/messages";
import type { Caller, Catalogue, DataContext, Relation, Table } from "../catalogue/types.ts";
import { clauseFault, columnNotFound } from "../clause/clause-errors.ts";
import { type ListItem, parseList } from "../clause/clause-parser.ts";
import { assertAllowed } from "../permissions/row-permissions.ts";
import type { QueryParams } from "./query-params.ts";

/**
 * Maximum statements per query. Loading everything within three levels of an API entity takes about fifty.
 */
export const MAX_RELATION_STATEMENTS = 60;
/** Maximum relation paths within the depth, whether or not any records are related. */
const MAX_PATHS = 10_000;
export const tooManyLoads = () =>
  clauseFault(msg("A query can load {count} relations at most.", { count: MAX_RELATION_STATEMENTS }));

/** Relations to load with the records of a table, nested. */
export type RequestedRelations = Map<Relation, WantedRelation>;
export type WantedRelation = {
  table: Table;
  further: RequestedRelations;
  /** Whether the query names the relation, as opposed to reaching it by depth or auto-loading. */
  named: boolean;
  /** Columns of the related records that the query selects; all if empty. */
  selected: Set<string>;
  excluded: Set<string>;
};
/** A query on a table, with the relations to load. */
export type RelationPlan = {
  engine: DataContext;
  caller: Caller;
  table: Table;
  params: QueryParams;
  wanted: RequestedRelations;
};
type PlanContext = { catalogue: Catalogue; caller: Caller; pathsLeft: number };

/**
 * Plans the relations to load: named ones (with dots for nested relations, `*` for all), those within a
 * depth, and auto-loaded ones.
 * @throws 1006 for an unknown relation, `not-allowed` for a named one that the caller may not read
 */
export function planRelations(
  engine: DataContext,
  caller: Caller,
  table: Table,
  params: QueryParams,
): RelationPlan {
  const context: PlanContext = { catalogue: engine.catalogue, caller, pathsLeft: MAX_PATHS };
  const wantedRelations: RequestedRelations = new Map();
  const excluded = splitNames(params.excludeProps);
  addAllRelations(context, wantedRelations, table, 1, { which: ({ autoLoad }) => autoLoad });
  for (const path of splitNames(params.loadRelations))
    if (path === "*") addAllRelations(context, wantedRelations, table, 1, { named: true });
    else addNamedRelations(context, wantedRelations, table, path.split("."));
  addAllRelations(context, wantedRelations, table, params.relationsDepth ?? 0);
  for (const relation of wantedRelations.keys())
    if (excluded.includes(relation.name)) wantedRelations.delete(relation);
  const plan = { engine, caller, table, params, wanted: wantedRelations };
  if (wantedRelations.size > 0) planColumns(plan, excluded);
  return plan;
}

/** Assigns selected and excluded columns to the relation whose records have them. */
function planColumns(plan: RelationPlan, excluded: string[]): void {
  const { table, params, wanted } = plan;
  for (const path of excluded) {
    const names = path.split(".");
    findWanted(table, wanted, names.slice(0, -1))?.excluded.add(names.at(-1)!);
  }
  if (!params.loadRelations || !params.props?.includes(".")) return;
  for (const item of parseList(params.props, "alias")) {
    const related = findRelatedColumn(plan, item);
    related?.relation.selected.add(related.column);
  }
}

/**
 * Returns the relation and column that a property names; null if it is an expression, has an alias, or its
 * relation is not named in the query.
 */
function findRelatedColumn({ table, caller, wanted }: RelationPlan, { of, alias }: ListItem) {
  if (of === "*" || of.is !== "path" || of.inverse || of.json || alias !== null) return null;
  const relation = findWanted(table, wanted, of.names.slice(0, -1));
  const column = relation?.named && relation.table.columns.get(of.names.at(-1)!);
  return column && !column.hidden?.(caller) ? { relation, column: column.name } : null;
}

/** Whether a property belongs to the records themselves, not to related records that are loaded. */
export const isOwnProperty = (plan: RelationPlan, item: ListItem): boolean =>
  plan.wanted.size === 0 || findRelatedColumn(plan, item) === null;

function findWanted(
  table: Table,
  wantedRelations: RequestedRelations,
  path: string[],
): WantedRelation | undefined {
  let at: { table: Table; further: RequestedRelations } = { table, further: wantedRelations };
  let found: WantedRelation | undefined;
  for (const name of path) {
    const relation = at.table.relations.get(name);
    found = relation && at.further.get(relation);
    if (!found) return undefined;
    at = found;
  }
  return found;
}

const splitNames = (list: string | null | undefined) =>
  (list ?? "")
    .split(",")
    .map((it) => it.trim())
    .filter((it) => it !== "");

function addAllRelations(
  context: PlanContext,
  wantedRelations: RequestedRelations,
  table: Table,
  depth: number,
  options: { which?: (it: Relation) => boolean; named?: boolean } = {},
): void {
  if (depth <= 0) return;
  const { which = () => true, named = false } = options;
  for (const relation of [...table.relations.values()].filter(which)) {
    if (--context.pathsLeft < 0) throw tooManyLoads();
    const to = context.catalogue.known(relation.toTable);
    if (!to) continue;
    addAllRelations(
      context,
      addRelation(wantedRelations, relation, to, named).further,
      to,
      depth - 1,
      options,
    );
  }
}

/**
 * Adds the relations of a named path. The caller must be allowed to read them; unreadable relations that
 * were not named are left out instead.
 */
function addNamedRelations(
  { catalogue, caller }: PlanContext,
  wantedRelations: RequestedRelations,
  table: Table,
  names: string[],
): void {
  let [place, at] = [wantedRelations, table];
  for (const name of names) {
    const relation = at.relations.get(name);
    const to = relation && catalogue.known(relation.toTable);
    if (!to) throw columnNotFound(name, at.name);
    assertAllowed(to, caller, "find");
    place = addRelation(place, relation, to, true).further;
    at = to;
  }
}

function addRelation(
  wantedRelations: RequestedRelations,
  relation: Relation,
  table: Table,
  named: boolean,
): WantedRelation {
  const added = wantedRelations.get(relation) ?? {
    table,
    further: new Map(),
    named,
    selected: new Set(),
    excluded: new Set(),
  };
  added.named ||= named;
  wantedRelations.set(relation, added);
  return added;
}
