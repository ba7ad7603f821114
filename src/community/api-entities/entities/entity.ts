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
   * The value that this viewer may read. It is used in results, conditions and sorting. `alias` is the alias
   * of the view.
   */
  seen?: (viewer: Viewer, alias: string) => SqlFragment;
  /** The value depends only on the row, not on the viewer. */
  ofRow?: boolean;
  /** Condition that the column equals one of these texts, in a form that an index supports. */
  among?: (alias: string, texts: string[]) => SqlFragment;
  /** Column type in the view if it is not text. */
  storedAs?: "uuid";
};

/**
 * A relation to another entity: by a column of this entity with the other's objectId, by a column of the
 * other entity, or by a view of links.
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
  /** Text for the documentation: what the entity is, and who can read it. */
  about: string;
  columns: EntityColumn[];
  /**
   * Columns created by API clients. `readBy` is `shared` if everyone who can read the row can read them,
   * `owner` if only its owner and admins can.
   */
  more?: (db: Db, readBy?: "owner" | "shared") => Promise<EntityColumn[]>;
  /** SQL for the current version of those columns, as text. */
  stamp?: SqlFragment;
  relations: EntityRelation[];
  /** Condition on the rows that the viewer can see; `alias` is the alias of the view. */
  visible: (viewer: Viewer, alias: string) => SqlFragment;
};

type SeenValue = NonNullable<EntityColumn["seen"]>;

export const columnRef = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
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
  storedAs: "uuid",
  seen: (viewer, alias) => sql`${seen ? seen(viewer, alias) : columnRef(alias, toSnakeCase(name))}::text`,
  // A value that differs by viewer cannot use an index: the value that the viewer sees must be compared.
  ...(!seen && { among: (alias, texts) => isOneOfIds(columnRef(alias, toSnakeCase(name)), texts) }),
});

/**
 * Condition that an id is one of these texts. A text that is not a UUID matches nothing; a null id gives
 * null, as in any comparison.
 */
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
  sql`${columnRef(alias, name)} = ${part}${kind === "id" ? sql`::uuid` : sql``}`;

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
