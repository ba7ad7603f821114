import { z } from "zod";
import type { Permission } from "../endpoint.ts";

/** A record of any table; its properties depend on the columns of the table. */
export const TableRecord = z
  .looseObject({ objectId: z.string().optional(), ___class: z.string().optional() })
  .meta({ id: "Record", description: "Properties by the names of their columns." });
export const TableRecords = z.array(TableRecord);
export const WhereClause = z.looseObject({ where: z.string().optional() });
export const ColumnList = z.array(
  z
    .looseObject({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      relatedTable: z.string().nullable().optional(),
      isPrimaryKey: z.boolean().optional(),
    })
    .meta({ id: "TableColumn" }),
);

/** No check before the body is read: the command checks the permissions of table and record. */
export const TABLE_PERMISSION: Permission = {
  name: "callers whom the permissions of the table and the record admit, by default members",
  caller: "member",
  refusal: { status: 403, code: 1011 },
};

/** Guests get "not found" rather than "not allowed", because they cannot see the record of the example. */
export const RECORD_GRANT_PERMISSION: Permission = {
  name: "the owner of the record, and where access is open everyone who may find it",
  caller: "member",
  refusal: { status: 400, code: 1000 },
};

export const tableExample = { table: "Beds" };
export const recordExample = { table: "Beds", id: "bed-1" };
export const relationExample = { ...recordExample, relation: "plants" };
