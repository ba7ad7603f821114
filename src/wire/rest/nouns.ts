import type { Caller, Column, Noun } from "#backend/tables";
import { PUBLISHED, type PublishedColumn, type PublishedNoun, type PublishedRelation } from "#community/published";
import type { Accounts } from "#community/people";
import { changeRecord, createRecord, type Hand, removeRecord, whyNot } from "#community/services";
import type { Settings } from "#community/settings";
import type { Tx } from "#platform/database";
import { asDoingOf } from "#platform/outbox";
import { hostedUsers, type UsersTable } from "./users/hosted-users.ts";
import { viewerIn } from "./viewer.ts";

type NounHouse = {
  settings: Settings;
  accounts: Accounts;
  /** How user records are read at the moment. */
  users: () => Promise<UsersTable>;
};

/**
 * Community entities for the table engine: read as the caller, written by commands in the engine's
 * transaction.
 */
export const communityNouns = (house: NounHouse): Noun[] => PUBLISHED.map((noun) => asTable(house, noun));

function asTable(house: NounHouse, noun: PublishedNoun): Noun {
  const { name } = noun;
  const refusals: NonNullable<Noun["refusals"]> = {};
  for (const act of ["create", "update", "remove"] as const) {
    const sentence = whyNot(name, act);
    if (sentence !== null) refusals[act] = sentence;
  }
  // Events a command emits are attributed to the automation run that caused it.
  const doing = async <T>(tx: Tx, caller: Caller, act: (hand: Hand) => Promise<T>): Promise<T> => {
    const hand = await handOf(house, tx, caller);
    return asDoingOf(caller.cause, () => act(hand));
  };
  return {
    name,
    sqlName: noun.view,
    columns: noun.columns.map(asColumn),
    ...(noun.more && { more: async (db) => (await noun.more!(db)).map(asColumn), stamp: noun.stamp }),
    relations: noun.relations.map((relation) => ({ ...relation, autoLoad: false, via: viaOf(relation) })),
    visible: (caller, alias) => noun.visible(viewerIn(caller), foreign(alias)),
    ...(!refusals.create && { create: (tx, caller, record) => doing(tx, caller, (hand) => createRecord(hand, name, record)) }),
    ...(!refusals.update && {
      update: (tx, caller, objectId, changes) => doing(tx, caller, (hand) => changeRecord(hand, name, objectId, changes)),
    }),
    ...(!refusals.remove && { remove: (tx, caller, objectId) => doing(tx, caller, (hand) => removeRecord(hand, name, objectId)) }),
    refusals,
    ...(name === "Users" && { hosted: { ...hostedUsers(house), more: async (db) => (await noun.more!(db, "shared")).map(asColumn) } }),
  };
}

const asColumn = ({ seen, among, ...column }: PublishedColumn): Column => ({
  ...PLAIN,
  ...column,
  ...(seen && { seen: (caller, alias) => seen(viewerIn(caller), foreign(alias)) }),
  ...(among && { among }),
});

const handOf = async ({ settings }: NounHouse, tx: Tx, caller: Caller): Promise<Hand> => ({
  tx,
  viewer: viewerIn(caller),
  site: await settings.get(),
});

/**
 * Conditions of entities use single-letter table aliases. A view with the same alias would change their
 * meaning: that is a bug, reported before any query.
 */
function foreign(alias: string): string {
  if (/^[a-su-z]$/.test(alias)) throw new Error(`The conditions of nouns have a table ${alias} of their own.`);
  return alias;
}

/** Attributes of a view column beside name and type: only commands enforce rules. */
const PLAIN = { size: null, required: false, unique: false, indexed: false, defaultValue: null, expression: null, customRegex: null };

const viaOf = ({ via }: PublishedRelation): Noun["relations"][number]["via"] =>
  "links" in via ? { links: { schema: "published", name: via.links }, parent: "parent", child: "child", position: "position" } : via;
