export { bindCondition, equalities } from "./clause/bind.ts";
export type { Scope } from "./clause/bind.ts";
export { evaluate } from "./clause/evaluate.ts";
export { noColumn } from "./clause/fault.ts";
export { parseClause } from "./clause/parse.ts";
export { readSelector, selects } from "./clause/selector.ts";
export type { Selector } from "./clause/selector.ts";
export type { Kind, Term } from "./clause/tree.ts";
export type {
  Caller,
  Catalogue,
  Column,
  ColumnType,
  Config,
  Engine,
  Fragment,
  Noun,
  ObjectAct,
  Relation,
  Table,
  TableAct,
  Via,
  WireRecord,
} from "./catalogue/types.ts";
export { badRequest, CODES, TableFault } from "./faults.ts";
export { changedRecord, eventsOf, findsChanged, findersOf, findersOfAll, isOfTables, wholeOf } from "./following/changes.ts";
export { conditionOn, meets, narrowedBy } from "./following/condition.ts";
export type { Condition, Ranged, Settled } from "./following/condition.ts";
export { purgeTold } from "./following/purge.ts";
export { assertMay, findsRow, rowsFor } from "./permissions/rows.ts";
export { onTable, openTables } from "./tables.ts";
export type { Tables } from "./tables.ts";
export {
  access,
  addColumn,
  addRelation,
  changeColumn,
  config,
  createTable,
  dropAllTables,
  dropColumn,
  dropTable,
  setAccess,
  setConfig,
  tablesOut,
} from "./catalogue/managing.ts";
export type { ColumnOut, RelationOut, TableOut } from "./catalogue/managing.ts";
export { countInGroup, countRecords, findAmong, findByKeys, findIds, findRelated, groupRecords, WrittenPage } from "./query/index.ts";
export { findOne, findPage, findRecords } from "./hooked-reads.ts";
export type { HookedAct, Hooks, Told } from "./hooks.ts";
export {
  assertMayAdd,
  bulkCreate,
  bulkDelete,
  bulkUpdate,
  bulkUpsert,
  create,
  describeTable,
  permit,
  permitMany,
  relate,
  remove,
  save,
  saveAfter,
  saveDeep,
  tableNameOf,
  upsert,
} from "./doing.ts";
export type { Quota, Used } from "./room.ts";
export { runUnit } from "./transactions/unit.ts";
export { sizeOf } from "./values/size.ts";
export type { UnitResult } from "./transactions/unit.ts";
