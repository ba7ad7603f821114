import { type Db, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { Viewer } from "#community/rules";

/** An SQL fragment with its parameters. */
export type SqlFragment = ReturnType<typeof sql<unknown>>;

export type EntityColumn = {
  name: string;
  /** Name in the view. */
  sqlName: string;
  type: "STRING_ID" | "STRING" | "TEXT" | "INT" | "DOUBLE" | "BOOLEAN" | "DATETIME" | "JSON";
  /**
   * The value for this viewer wherever the column is used: in results, conditions and sorting. `alias` is the
   * view's.
   */
  seen?: (viewer: Viewer, alias: string) => SqlFragment;
  /** The value depends on the row alone. */
  ofRow?: boolean;
  /**
   * Equality with one of these texts in a form that an index supports. Equivalent to comparing the column.
   */
  among?: (alias: string, texts: string[]) => SqlFragment;
  /** Type in the view, if it is not text. */
  lies?: "uuid";
};

/**
 * A relation to another entity: by an own column with its objectId, by a column of the other, or by a view of
 * links.
 */
export type EntityRelation = {
  name: string;
  toTable: string;
  kind: "ONE_TO_ONE" | "ONE_TO_MANY";
  via: { parentColumn: string } | { childColumn: string } | { links: string };
};

/** A community entity as API clients query it. */
export type ApiEntity = {
  name: string;
  /** View in the schema `published`. */
  view: string;
  /** Documentation: what it is, and who can read it. */
  about: string;
  columns: EntityColumn[];
  /**
   * Columns created by API clients. `readBy`: `shared` ones are readable with the row, others by its owner.
   */
  more?: (db: Db, readBy?: "owner" | "shared") => Promise<EntityColumn[]>;
  /** Version of those columns as text. */
  stamp?: SqlFragment;
  relations: EntityRelation[];
  /** Which rows of the view under this alias the viewer can see. */
  visible: (viewer: Viewer, alias: string) => SqlFragment;
};

type SeenValue = NonNullable<EntityColumn["seen"]>;

export const columnOf = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const defineColumn =
  (type: EntityColumn["type"]) =>
  (name: string, seen?: SeenValue): EntityColumn => ({
    name,
    sqlName: toSnakeCase(name),
    type,
    ...(seen && { seen }),
  });

export const stringColumn = defineColumn("STRING");
export const textColumn = defineColumn("TEXT");
export const intColumn = defineColumn("INT");
export const booleanColumn = defineColumn("BOOLEAN");
export const dateColumn = defineColumn("DATETIME");
export const jsonColumn = defineColumn("JSON");

/** An id column. Ids are text in the API and compared as text; a whole id is looked up as a UUID. */
export const idColumn = (name: string, seen?: SeenValue): EntityColumn => ({
  name,
  sqlName: toSnakeCase(name),
  type: "STRING_ID",
  lies: "uuid",
  seen: (viewer, alias) => sql`${seen ? seen(viewer, alias) : columnOf(alias, toSnakeCase(name))}::text`,
  // If the value differs by viewer, the viewer's value is compared.
  ...(!seen && { among: (alias, texts) => isOneOfIds(columnOf(alias, toSnakeCase(name)), texts) }),
});

/** A text that is no UUID matches nothing; null stays unknown, as in any comparison. */
function isOneOfIds(id: SqlFragment, texts: string[]): SqlFragment {
  const ids = texts.filter(isId);
  return ids.length === 0
    ? sql`case when ${id} is not null then false end`
    : sql`${id} = any(${ids}::uuid[])`;
}

/** A compound objectId: `columns` are its parts in order. */
export const compoundIdColumn = (...columns: IdPart[]): EntityColumn => ({
  name: "objectId",
  sqlName: "object_id",
  type: "STRING_ID",
  among(alias, texts) {
    const whole = texts.map((text) => text.split(":")).filter((parts) => isCompleteId(columns, parts));
    const conditions = whole.map(
      (parts) =>
        sql`(${sql.join(
          columns.map((column, i) => matchesPart(alias, column, parts[i]!)),
          sql` and `,
        )})`,
    );
    return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
  },
});

type IdPart = [name: string, kind: "id" | "text"];
const isCompleteId = (columns: IdPart[], parts: string[]) =>
  parts.length === columns.length && columns.every(([, kind], i) => kind === "text" || isId(parts[i]!));
const matchesPart = (alias: string, [name, kind]: IdPart, part: string): SqlFragment =>
  sql`${columnOf(alias, name)} = ${part}${kind === "id" ? sql`::uuid` : sql``}`;

/** Columns of every record, between its id and the rest. `owner` is the owner as the viewer sees it. */
export const commonColumns = (id: EntityColumn, owner?: SeenValue, updated?: SeenValue): EntityColumn[] => [
  id,
  dateColumn("created"),
  dateColumn("updated", updated),
  idColumn("ownerId", owner),
];

export const toOne = (name: string, toTable: string, parentColumn: string): EntityRelation => ({
  name,
  toTable,
  kind: "ONE_TO_ONE",
  via: { parentColumn },
});
export const toMany = (name: string, toTable: string, childColumn: string): EntityRelation => ({
  name,
  toTable,
  kind: "ONE_TO_MANY",
  via: { childColumn },
});
