import type { EventRecords } from "#platform/outbox";
import type { ApiRecord } from "../catalogue/types.ts";
import type { ObjectGrant } from "../permissions/row-permissions.ts";

/** Further properties of an event of a data table, by its kind. */
export type DataEventRecords = {
  readonly record?: ApiRecord;
  /** Grants of the record at the time of the change. */
  readonly grants?: ObjectGrant[];
  /** Denials at the time of a bulk change. */
  readonly denied?: ObjectGrant[];
  readonly ids?: string[];
  readonly children?: string[];
  readonly whereClause?: string | null;
  /** Columns of a deleted record, and its row by short column names. */
  readonly names?: string[];
  readonly row?: Record<string, unknown>;
};

/** Returns what an event of a data table carries; empty if the event carries nothing. */
export const toDataEventRecords = (whole: EventRecords | null): DataEventRecords => whole ?? {};
