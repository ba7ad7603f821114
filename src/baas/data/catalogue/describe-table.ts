import type { Caller, Column, Relation, Table } from "./types.ts";

/** A column as clients receive it, with exactly these properties. */
export type ColumnDescription = {
  name: string;
  required: boolean;
  type: string;
  defaultValue: unknown;
  expression: string | null;
  relatedTable: string | null;
  customRegex: string | null;
  autoLoad: boolean;
  isPrimaryKey: boolean;
};

/** Describes the columns and relations of a table that are visible to the caller. */
export const describeColumns = (table: Table, caller: Caller): ColumnDescription[] => [
  ...[...table.columns.values()].filter(({ hidden }) => !hidden?.(caller)).map(describeColumn),
  ...[...table.relations.values()].map(describeRelation),
];

const describeColumn = ({
  name,
  required,
  type,
  defaultValue,
  expression,
  customRegex,
}: Column): ColumnDescription => ({
  name,
  required,
  type,
  defaultValue,
  expression,
  relatedTable: null,
  customRegex,
  autoLoad: false,
  isPrimaryKey: name === "objectId",
});

const describeRelation = ({ name, kind, toTable, autoLoad }: Relation): ColumnDescription => ({
  name,
  required: false,
  type: kind === "ONE_TO_ONE" ? "RELATION" : "RELATION_LIST",
  defaultValue: null,
  expression: null,
  relatedTable: toTable,
  customRegex: null,
  autoLoad,
  isPrimaryKey: false,
});
