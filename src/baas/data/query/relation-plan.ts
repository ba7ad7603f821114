import type { Caller, Catalogue, DataContext, Relation, Table } from "../catalogue/types.ts";
import { clauseFault, columnNotFound } from "../clause/clause-errors.ts";
import { assertAllowed } from "../permissions/row-permissions.ts";
import type { QueryParams } from "./query-params.ts";

/** Statements per query: everything three levels around an API entity takes about fifty statements. */
export const MAX_LOADED = 60;
/** Relation paths within a depth, whether or not there are records on them. */
const MAX_PATHS = 10_000;
export const tooManyLoads = () => clauseFault(`A query can load ${MAX_LOADED} relations at most.`);

/** Relations to load with the records of a table, nested. */
export type WantedRelations = Map<Relation, WantedRelations>;
type PlanContext = { catalogue: Catalogue; caller: Caller; pathsLeft: number };

/** Relations of a query: by name, nested with dots, `*`, by depth, and those auto-loaded. */
export function planRelations(
  { catalogue }: DataContext,
  caller: Caller,
  table: Table,
  asked: QueryParams,
): WantedRelations {
  const context: PlanContext = { catalogue, caller, pathsLeft: MAX_PATHS };
  const wanted: WantedRelations = new Map();
  const left = new Set(splitNames(asked.excludeProps));
  addAllRelations(context, wanted, table, 1, ({ autoLoad }) => autoLoad);
  for (const path of splitNames(asked.loadRelations))
    if (path === "*") addAllRelations(context, wanted, table, 1);
    else addNamedRelations(context, wanted, table, path.split("."));
  addAllRelations(context, wanted, table, asked.relationsDepth ?? 0);
  for (const relation of wanted.keys()) if (left.has(relation.name)) wanted.delete(relation);
  return wanted;
}

const splitNames = (list: string | null | undefined) =>
  (list ?? "")
    .split(",")
    .map((it) => it.trim())
    .filter((it) => it !== "");

function addAllRelations(
  context: PlanContext,
  wanted: WantedRelations,
  table: Table,
  depth: number,
  which: (it: Relation) => boolean = () => true,
): void {
  if (depth <= 0) return;
  for (const relation of [...table.relations.values()].filter(which)) {
    if (--context.pathsLeft < 0) throw tooManyLoads();
    const to = context.catalogue.known(relation.toTable);
    if (to) addAllRelations(context, addRelation(wanted, relation), to, depth - 1, which);
  }
}

/** Named relations must be readable for the caller; unreadable ones that were not named are left out. */
function addNamedRelations(
  { catalogue, caller }: PlanContext,
  wanted: WantedRelations,
  table: Table,
  names: string[],
): void {
  let [place, at] = [wanted, table];
  for (const name of names) {
    const relation = at.relations.get(name);
    const to = relation && catalogue.known(relation.toTable);
    if (!to) throw columnNotFound(name, at.name);
    assertAllowed(to, caller, "find");
    place = addRelation(place, relation);
    at = to;
  }
}

function addRelation(wanted: WantedRelations, relation: Relation): WantedRelations {
  const known = wanted.get(relation) ?? new Map<Relation, WantedRelations>();
  wanted.set(relation, known);
  return known;
}
