import { type Db, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { Viewer } from "#community/rules";

/** A piece of a statement, with its parameters. */
export type Piece = ReturnType<typeof sql<unknown>>;

export type PublishedColumn = {
  name: string;
  /** In the view. */
  sqlName: string;
  type: "STRING_ID" | "STRING" | "TEXT" | "INT" | "DOUBLE" | "BOOLEAN" | "DATETIME" | "JSON";
  /** What this viewer finds in it, wherever it is asked about: in an answer, a condition, a sorting. `alias` is the view's. */
  seen?: (viewer: Viewer, alias: string) => Piece;
  /** What is seen is worked out from the row alone. */
  ofRow?: boolean;
  /** That it is one of these texts, said so that an index can answer. It says nothing that comparing the column would not. */
  among?: (alias: string, texts: string[]) => Piece;
  /** Its type in the view, where that is not a text. */
  lies?: "uuid";
};

/** Where a noun leads: by a column of its own that holds another's objectId, by one of the others', or by a view of links. */
export type PublishedRelation = {
  name: string;
  toTable: string;
  kind: "ONE_TO_ONE" | "ONE_TO_MANY";
  via: { parentColumn: string } | { childColumn: string } | { links: string };
};

/** A kind of record of the community as programs ask for it. */
export type PublishedNoun = {
  name: string;
  /** In schema `published`. */
  view: string;
  /** For the documentation: what it is, and who reads it. */
  about: string;
  columns: PublishedColumn[];
  /** Columns that programs have made; `shared`: whoever finds the row reads them. */
  more?: (db: Db, readBy?: "owner" | "shared") => Promise<PublishedColumn[]>;
  /** As a text, which of these there are. */
  stamp?: Piece;
  relations: PublishedRelation[];
  /** Which rows of the view under this alias there are for this viewer. */
  visible: (viewer: Viewer, alias: string) => Piece;
};

type Seen = NonNullable<PublishedColumn["seen"]>;

/** A column of a view under an alias. */
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

/** An id. Ids are texts on the wire, and compared as texts; a whole one is looked up as what it is. */
export const ref = (name: string, seen?: Seen): PublishedColumn => ({
  name,
  sqlName: snake(name),
  type: "STRING_ID",
  lies: "uuid",
  seen: (viewer, alias) => sql`${seen ? seen(viewer, alias) : at(alias, snake(name))}::text`,
  // Where not everybody finds the same, what somebody finds is what counts.
  ...(!seen && { among: (alias, texts) => isOneOf(at(alias, snake(name)), texts) }),
});

/** What is no id is none of them; nothing is unknown, as in any comparison. */
function isOneOf(id: Piece, texts: string[]): Piece {
  const ids = texts.filter(isId);
  return ids.length === 0 ? sql`case when ${id} is not null then false end` : sql`${id} = any(${ids}::uuid[])`;
}

/** An objectId that is made of several: `columns` say what its parts are, in their order. */
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

/** The columns that every record has, between its id and the rest. `owner` is what the viewer finds for whose it is. */
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
