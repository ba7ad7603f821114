export { bindCondition, findEqualities } from "./clause/bind.ts";
export type { NameScope } from "./clause/bind.ts";
export { evaluateCondition } from "./clause/evaluate.ts";
export { columnNotFound } from "./clause/clause-errors.ts";
export { parseClause } from "./clause/clause-parser.ts";
export { SERVER_CALLER } from "./server-caller.ts";
export { parseSelector, matchesSelector } from "./clause/selector.ts";
export type { Selector } from "./clause/selector.ts";
export type { ValueKind, Term } from "./clause/clause-terms.ts";
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
export { badRequest, CODES, TableFault } from "./data-errors.ts";
export {
  loadChangedRecord,
  listTableEvents,
  canFindChanged,
  createRecordFilter,
  createTableAccessCheck,
  isTableEvent,
  findFullEvent,
} from "./changes/record-changes.ts";
export { toDataEventRecords } from "./changes/event-records.ts";
export { parseChangeCondition, matchesCondition, narrowCondition } from "./changes/change-condition.ts";
export type { ChangeCondition, RangeFilter, ValueFilter } from "./changes/change-condition.ts";
export { purgeChangeDetails } from "./changes/purge-changes.ts";
export { assertAllowed, canFindRow, allowedRowsSql } from "./permissions/row-permissions.ts";
export { withTable, createDataTableStore } from "./data-tables.ts";
export type { DataTables } from "./data-tables.ts";
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
} from "./catalogue/manage-tables.ts";
export type { ColumnInfo, RelationInfo, TableInfo } from "./catalogue/manage-tables.ts";
export {
  countInGroup,
  countRecords,
  findRecordsAmong,
  findByKeys,
  findIds,
  findRelated,
  groupRecords,
  SerializedPage,
} from "./query/index.ts";
export { findOne, findPage, findRecords } from "./hooked-reads.ts";
export type { HookedAction, Hooks, HookPayload } from "./data-hooks.ts";
export { assertCanCreate, setObjectPermission, setObjectPermissions } from "./permission-commands.ts";
export {
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  bulkUpsertObjects,
} from "./bulk-commands.ts";
export {
  createObject,
  removeObject,
  saveObject,
  saveAfterCheck,
  saveObjectDeep,
  upsertObject,
} from "./object-commands.ts";
export { describeTable, relateObjects, getTableName } from "./data-commands.ts";
export type { Quota, QuotaUsage } from "./data-quota.ts";
export { runUnitOfWork } from "./transactions/unit-of-work.ts";
export { UnitInput } from "./transactions/transaction-schemas.ts";
export { QueryParams } from "./query/query-params.ts";
export { ObjectPermission } from "./permissions/object-grants.ts";
export {
  AccessGrid,
  ColumnChange,
  ConfigChange,
  NewColumn,
  NewRelation,
  NewTable,
} from "./catalogue/table-schemas.ts";
export { estimateJsonLength } from "./values/json-length.ts";
export type { UnitResult } from "./transactions/unit-of-work.ts";
