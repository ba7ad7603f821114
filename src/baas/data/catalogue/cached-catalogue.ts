import { type Db, many, maybeOne, one, sql } from "#platform/database";
import { tableNotFound } from "../data-errors.ts";
import type { Hooks } from "../data-hooks.ts";
import { SYSTEM_COLUMNS } from "./table-names.ts";
import type {
  Catalogue,
  Column,
  ColumnType,
  DataConfig,
  EntityTable,
  Relation,
  Table,
  TableAction,
} from "./types.ts";

type CatalogueState = { version: string; config: DataConfig; tables: Map<string, Table> };
type CatalogueOptions = {
  db: Db;
  entities: EntityTable[];
  dynamicSchema: boolean;
  hosted: () => Promise<boolean>;
  hooks?: Hooks;
};

/** The catalogue, cached until it changes. A class, because it holds the cache. */
export class CachedCatalogue implements Catalogue {
  readonly #options: CatalogueOptions;
  #reading: Promise<CatalogueState> | null = null;
  /** The current state; null if it must be read again. */
  #state: CatalogueState | null = null;
  /** The state read last, even if outdated. Work that began with this state continues with it. */
  #last: CatalogueState | null = null;
  #readings = 0;
  #latest = 0;
  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  forget = () => {
    this.#reading = null;
    this.#state = null;
  };

  known = (name: string) => this.#last?.tables.get(name);
  all = async () => [...(await this.#read()).tables.values()];
  config = async () => (await this.#read()).config;
  /** Whether the table is an API entity. */
  isEntity = (name: string): boolean => this.#options.entities.some((entity) => entity.name === name);

  table = async (name: string): Promise<Table> =>
    this.#state?.tables.get(name) ??
    (await this.#read()).tables.get(name) ??
    findTable(name, await this.#readAnew());

  /**
   * Returns a catalogue for use within a transaction. It reads on the transaction's own connection, because
   * waiting for a second connection could deadlock, and caches what it has read.
   */
  within(db: Db): Catalogue {
    let own: CatalogueState | null = null;
    const readOwn = async () => (own ??= await readCatalogue({ ...this.#options, db }));
    const now = async () => own ?? this.#state ?? readOwn();
    return {
      known: (name) => (own ?? this.#last)?.tables.get(name),
      all: async () => [...(await now()).tables.values()],
      config: async () => (await now()).config,
      table: async (name) => (await now()).tables.get(name) ?? findTable(name, await readOwn()),
      forget: () => {
        own = null;
        this.forget();
      },
    };
  }

  /**
   * Whether another process has changed tables since the last read, in case its notification has not arrived
   * yet. If so, the catalogue is read again on next use.
   */
  isBehind = async (): Promise<boolean> => {
    const state = await this.#read();
    if (joinVersions(await readVersions(this.#options)) === state.version) return false;
    this.forget();
    return true;
  };

  async #readAnew(): Promise<CatalogueState> {
    await this.isBehind();
    return this.#read();
  }

  #read(): Promise<CatalogueState> {
    if (this.#reading) return this.#reading;
    const number = ++this.#readings;
    const reading = readCatalogue(this.#options).then(
      (state) => {
        // A state that became outdated during the read is not cached.
        if (this.#reading === reading) this.#state = state;
        if (number > this.#latest) [this.#last, this.#latest] = [state, number];
        return state;
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = null;
        throw error;
      },
    );
    return (this.#reading = reading);
  }
}

function findTable(name: string, { tables }: CatalogueState): Table {
  const table = tables.get(name);
  if (!table) throw tableNotFound(name);
  return table;
}

/** The number of the last schema change. */
const DATA_VERSION = sql`coalesce((select version::text from data_config), '0')`;

/**
 * Reads the versions of the catalogue: that of the data tables, then that of each API entity with variable
 * columns.
 */
async function readVersions({
  db,
  entities,
}: CatalogueOptions): Promise<{ own: string; of: Map<EntityTable, string> }> {
  const changing = entities.filter(({ stamp }) => stamp);
  const asked = [DATA_VERSION, ...changing.map(({ stamp }) => stamp!)].map(
    (stamp, at) => sql`${stamp} as ${sql.id(`s${at}`)}`,
  );
  const row = await one(db, sql<Record<string, string>>`select ${sql.join(asked)} where ${true}`);
  return { own: row["s0"]!, of: new Map(changing.map((entity, at) => [entity, row[`s${at + 1}`]!])) };
}
type CatalogueVersions = Awaited<ReturnType<typeof readVersions>>;
const joinVersions = ({ own, of }: CatalogueVersions) => [own, ...of.values()].join();

type ConfigRow = { dynamicSchema: boolean | null; defaultAccess: DataConfig["defaultAccess"] | null };
type ColumnRow = Omit<Column, "customRegex" | "type"> & { type: ColumnType };
type RelationRow = Omit<Relation, "via"> & { links: string };
type TableRow = {
  id: string;
  name: string;
  sqlName: string;
  hasGrants: boolean;
  published: boolean;
  columns: ColumnRow[];
  relations: RelationRow[];
  access: { role: string; act: TableAction; allowed: boolean }[];
};

async function readCatalogue(options: CatalogueOptions): Promise<CatalogueState> {
  const { db, entities, dynamicSchema, hooks } = options;
  // Versions are read before the catalogue: a change between the two reads then causes an unnecessary
  // reread, never a missed one.
  const stamps = await readVersions(options);
  const row = await maybeOne(
    db,
    sql<ConfigRow>`select dynamic_schema as "dynamicSchema", default_access as "defaultAccess"
      from data_config where ${true}`,
  );
  const hosted = await options.hosted();
  const config: DataConfig = {
    dynamicSchema: row?.dynamicSchema ?? (hosted || dynamicSchema),
    defaultAccess: row?.defaultAccess ?? (hosted ? "open" : "members"),
    hosted,
  };
  const rows = await many(
    db,
    sql<TableRow>`
      select t.id, t.name, t.sql_name as "sqlName", t.published, exists (select 1 from data_grants g
        where g.table_id = t.id) as "hasGrants",
        (select coalesce(json_agg(json_build_object('name', c.name, 'sqlName', c.sql_name, 'type', c.type,
          'size', c.size,
          'required', c.required, 'unique', c.is_unique, 'indexed', c.is_indexed, 'defaultValue',
          c.default_value,
          'expression', c.expression) order by c.position), '[]') from data_columns c
            where c.table_id = t.id) as columns,
        (select coalesce(json_agg(json_build_object('name', r.name, 'toTable', r.to_table, 'kind', r.kind,
          'autoLoad', r.auto_load,
          'links', r.links) order by r.position), '[]') from data_relations r
            where r.table_id = t.id) as relations,
        (select coalesce(json_agg(json_build_object('role', a.role, 'act', a.act, 'allowed', a.allowed)),
          '[]')
          from data_access a where a.table_id = t.id) as access
      from data_tables t where ${true} order by t.name`,
  );
  const added = new Map(rows.filter((it) => it.published).map((it) => [it.name, it]));
  const published = await Promise.all(
    entities.map((entity) =>
      readEntityTable(db, withDefaults(entity, config), {
        known: stamps.of.get(entity),
        config,
        added: added.get(entity.name),
      }),
    ),
  );
  const stamp = { asked: DATA_VERSION, known: stamps.own };
  const own = rows.filter((it) => !it.published);
  const tables = [...own.map((it) => ({ ...createDataTable(it, config), hooks, stamp })), ...published];
  return {
    version: joinVersions(stamps),
    config,
    tables: new Map(tables.map((table) => [table.name, table])),
  };
}

function createDataTable(
  { id, name, sqlName, hasGrants, columns, relations, access }: TableRow,
  config: DataConfig,
): Table {
  const all: Column[] = [...SYSTEM_COLUMNS, ...columns.map((column) => ({ ...column, customRegex: null }))];
  const roles: Table["access"] = new Map();
  for (const { role, act: action, allowed } of access)
    roles.set(role, { ...roles.get(role), [action]: allowed });
  return {
    id,
    name,
    schema: "data",
    sqlName,
    open: config.defaultAccess === "open",
    access: roles,
    hasGrants,
    columns: new Map(all.map((column) => [column.name, column])),
    relations: new Map(relations.map((relation) => [relation.name, createLinkedRelation(relation)])),
  };
}

const createLinkedRelation = ({ links, ...relation }: RelationRow): Relation => ({
  ...relation,
  via: { links: { schema: "data", name: links }, parent: "parent", child: "child", position: "position" },
});

/**
 * Applies the current defaults to an API entity: its overrides if the hosted service's defaults are active.
 */
const withDefaults = (entity: EntityTable, { hosted }: DataConfig): EntityTable =>
  hosted && entity.hosted ? { ...entity, ...entity.hosted } : entity;

type EntityTableState = { known: string | undefined; config: DataConfig; added: TableRow | undefined };

async function readEntityTable(
  db: Db,
  entity: EntityTable,
  { known, config, added }: EntityTableState,
): Promise<Table> {
  const own = new Set(entity.columns.map(({ name }) => name));
  const more = ((await entity.more?.(db)) ?? []).filter(({ name }) => !own.has(name));
  const table = createEntityTable(entity, [...entity.columns, ...more]);
  for (const relation of added?.relations ?? [])
    table.relations.set(relation.name, createLinkedRelation(relation));
  const open = entity.extension !== undefined && config.defaultAccess === "open";
  const whole = { ...table, open, hasGrants: added?.hasGrants ?? false, storedId: added?.id };
  return entity.stamp && known !== undefined ? { ...whole, stamp: { asked: entity.stamp, known } } : whole;
}

const createEntityTable = (entity: EntityTable, columns: Column[]): Table => ({
  id: entity.name,
  name: entity.name,
  schema: "published",
  sqlName: entity.sqlName,
  open: false,
  access: new Map(),
  hasGrants: false,
  columns: new Map(columns.map((column) => [column.name, column])),
  relations: new Map(entity.relations.map((relation) => [relation.name, relation])),
  entity,
});
