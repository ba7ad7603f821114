import { type Db, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { Viewer } from "#community/rules";

/** An SQL fragment with its parameters. */
export type Piece = ReturnType<typeof sql<unknown>>;

export type PublishedColumn = {
  name: string;
  /** Name in the view. */
  sqlName: string;
  type: "STRING_ID" | "STRING" | "TEXT" | "INT" | "DOUBLE" | "BOOLEAN" | "DATETIME" | "JSON";
  /**
   * The value for this viewer wherever the column is used: in results, conditions and sorting. `alias` is the
   * view's.
   */
  seen?: (viewer: Viewer, alias: string) => Piece;
  /** The value depends on the row alone. */
  ofRow?: boolean;
  /**
   * Equality with one of these texts in a form that an index supports. Equivalent to comparing the column.
   */
  among?: (alias: string, texts: string[]) => Piece;
  /** Type in the view, if it is not text. */
  lies?: "uuid";
};

/**
 * A relation to another entity: by an own column with its objectId, by a column of the other, or by a view of
 * links.
 */
export type PublishedRelation = {
  name: string;
  toTable: string;
  kind: "ONE_TO_ONE" | "ONE_TO_MANY";
  via: { parentColumn: string } | { childColumn: string } | { links: string };
};

/** A community entity as API clients query it. */
export type PublishedNoun = {
  name: string;
  /** View in the schema `published`. */
  view: string;
  /** Documentation: what it is, and who can read it. */
  about: string;
  columns: PublishedColumn[];
  /** Columns that programs have made; `shared`: whoever finds the row reads them. */
  more?: (db: Db, readBy?: "owner" | "shared") => Promise<PublishedColumn[]>;
  /** Version of those columns as text. */
  stamp?: Piece;
  relations: PublishedRelation[];
  /** Which rows of the view under this alias the viewer can see. */
  visible: (viewer: Viewer, alias: string) => Piece;
};

type Seen = NonNullable<PublishedColumn["seen"]>;

export const at = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const column =
  (type: PublishedColumn["type"]) =>
  (name: string, seen?: Seen): PublishedColumn => ({ name, sqlName: snake(name), type, ...(seen && { seen }) });

export const string = column("STRING");
export const text = column("TEXT");
export const int = column("INT");
export const boolean = column("BOOLEAN");
export const date = column("DATETIME");
export const json = column("JSON");

/** An id column. Ids are text in the API and compared as text; a whole id is looked up as a UUID. */
export const ref = (name: string, seen?: Seen): PublishedColumn => ({
  name,
  sqlName: snake(name),
  type: "STRING_ID",
  lies: "uuid",
  seen: (viewer, alias) => sql`${seen ? seen(viewer, alias) : at(alias, snake(name))}::text`,
  // If the value differs by viewer, the viewer's value is compared.
  ...(!seen && { among: (alias, texts) => isOneOf(at(alias, snake(name)), texts) }),
});

/** A text that is no UUID matches nothing; null stays unknown, as in any comparison. */
function isOneOf(id: Piece, texts: string[]): Piece {
  const ids = texts.filter(isId);
  return ids.length === 0 ? sql`case when ${id} is not null then false end` : sql`${id} = any(${ids}::uuid[])`;
}

/** A compound objectId: `columns` are its parts in order. */
export const compound = (...columns: Part[]): PublishedColumn => ({
  name: "objectId",
  sqlName: "object_id",
  type: "STRING_ID",
  among(alias, texts) {
    const whole = texts.map((text) => text.split(":")).filter((parts) => isWhole(columns, parts));
    const ways = whole.map(
      (parts) =>
        sql`(${sql.join(
          columns.map((column, i) => isPart(alias, column, parts[i]!)),
          sql` and `,
        )})`,
    );
    return ways.length === 0 ? sql`false` : sql`(${sql.join(ways, sql` or `)})`;
  },
});

type Part = [name: string, kind: "id" | "text"];
const isWhole = (columns: Part[], parts: string[]) =>
  parts.length === columns.length && columns.every(([, kind], i) => kind === "text" || isId(parts[i]!));
const isPart = (alias: string, [name, kind]: Part, part: string): Piece =>
  sql`${at(alias, name)} = ${part}${kind === "id" ? sql`::uuid` : sql``}`;

/** Columns of every record, between its id and the rest. `owner` is the owner as the viewer sees it. */
export const common = (id: PublishedColumn, owner?: Seen, updated?: Seen): PublishedColumn[] => [
  id,
  date("created"),
  date("updated", updated),
  ref("ownerId", owner),
];

export const one = (name: string, toTable: string, parentColumn: string): PublishedRelation => ({
  name,
  toTable,
  kind: "ONE_TO_ONE",
  via: { parentColumn },
});
export const several = (name: string, toTable: string, childColumn: string): PublishedRelation => ({
  name,
  toTable,
  kind: "ONE_TO_MANY",
  via: { childColumn },
});
