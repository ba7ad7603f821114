export { bindCondition, findEqualities } from "./clause/bind.ts";
export type { NameScope } from "./clause/bind.ts";
export { evaluateCondition } from "./clause/evaluate.ts";
export { columnNotFound } from "./clause/fault.ts";
export { parseClause } from "./clause/parse.ts";
export { parseSelector, matchesSelector } from "./clause/selector.ts";
export type { Selector } from "./clause/selector.ts";
export type { ValueKind, Term } from "./clause/tree.ts";
export type {
  Caller,
  Catalogue,
  Column,
  ColumnType,
  DataConfig,
  DataContext,
  SqlFragment,
  EntityTable,
  ObjectAction,
  Relation,
  Table,
  TableAction,
  RelationStorage,
  ApiRecord,
} from "./catalogue/types.ts";
export { badRequest, CODES, TableFault } from "./faults.ts";
export {
  loadChangedRecord,
  listTableEvents,
  canFindChanged,
  createRecordFilter,
  createTableAccessCheck,
  isTableEvent,
  findFullEvent,
} from "./following/changes.ts";
export { parseChangeCondition, matchesCondition, narrowCondition } from "./following/condition.ts";
export type { ChangeCondition, RangeFilter, ValueFilter } from "./following/condition.ts";
export { purgeChangeDetails } from "./following/purge.ts";
export { assertAllowed, canFindRow, allowedRowsSql } from "./permissions/rows.ts";
export { withTable, openDataTables } from "./tables.ts";
export type { DataTables } from "./tables.ts";
export {
  getTableAccess,
  addColumn,
  addRelation,
  changeColumn,
  getDataConfig,
  createTable,
  dropAllTables,
  dropColumn,
  dropTable,
  setTableAccess,
  changeDataConfig,
  listTables,
} from "./catalogue/managing.ts";
export type { ColumnInfo, RelationInfo, TableInfo } from "./catalogue/managing.ts";
export {
  countInGroup,
  countRecords,
  findRecordsAmong,
  findByKeys,
  findIds,
  findRelated,
  groupRecords,
  WrittenPage,
} from "./query/index.ts";
export { findOne, findPage, findRecords } from "./hooked-reads.ts";
export type { HookedAction, Hooks, HookPayload } from "./hooks.ts";
export {
  assertCanCreate,
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  bulkUpsertObjects,
  createObject,
  describeTable,
  setObjectPermission,
  setObjectPermissions,
  relateObjects,
  removeObject,
  saveObject,
  saveAfterCheck,
  saveObjectDeep,
  getTableName,
  upsertObject,
} from "./doing.ts";
export type { Quota, QuotaUsage } from "./room.ts";
export { runUnitOfWork } from "./transactions/unit.ts";
export { estimateJsonLength } from "./values/size.ts";
export type { UnitResult } from "./transactions/unit.ts";
