import type { Viewer } from "./viewer.ts";

/** Areas that a personal access token can be limited to. */
export const TOKEN_AREAS = [
  "profile",
  "groups",
  "discussions",
  "events",
  "messages",
  "resources",
  "moderation",
] as const;
export type TokenArea = (typeof TOKEN_AREAS)[number];
export type TokenAccess = "read" | "write";

/** Areas whose records belong to groups: all that a token with limited groups can reach. */
const GROUP_AREAS: readonly TokenArea[] = ["groups", "discussions", "events", "resources", "moderation"];

/** Areas without records to read: their scope allows actions only. */
const ACTIONS_ONLY: readonly TokenArea[] = ["moderation"];

/**
 * All scopes. A scope to write includes reading. The annotation keeps the list out of scripts of pages that
 * do not use it.
 */
export const TOKEN_SCOPES = /* @__PURE__ */ TOKEN_AREAS.flatMap((area) => [
  ...(ACTIONS_ONLY.includes(area) ? [] : [`${area}:read` as const]),
  `${area}:write` as const,
]);
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Area of each API entity and of the services named after it. Tokens reach nothing that is missing here. */
const ENTITY_AREAS: Record<string, TokenArea> = {
  Users: "profile",
  Friendships: "profile",
  Blocks: "profile",
  Groups: "groups",
  Memberships: "groups",
  Discussions: "discussions",
  Posts: "discussions",
  Reactions: "discussions",
  Bookmarks: "discussions",
  Drafts: "discussions",
  Events: "events",
  DatePolls: "events",
  Attendances: "events",
  Conversations: "messages",
  Participants: "messages",
  Messages: "messages",
  Resources: "resources",
  Comments: "resources",
  Collections: "resources",
};

/** Services for moderators only. */
const MODERATION_SERVICES: Record<string, readonly string[]> = {
  Discussions: [
    "lock",
    "unlock",
    "pin",
    "unpin",
    "move",
    "split",
    "merge",
    "setSlowMode",
    "setTimer",
    "cancelTimer",
  ],
  Posts: ["unhide"],
  Groups: [
    "approveJoinRequest",
    "declineJoinRequest",
    "setRole",
    "removeMember",
    "ban",
    "liftBan",
    "declineAppeal",
    "approvePendingGroup",
    "declinePendingGroup",
    "appointOwner",
    "declineOwnerRequest",
  ],
  Resources: ["feature", "unfeature", "unhide"],
  Reports: ["resolve"],
};

/** Services that no token may call: they decide who sees the account. */
const SESSION_SERVICES: Record<string, readonly string[]> = { Users: ["updatePrivacy"] };

/** Columns that moderators change. */
const MODERATION_COLUMNS: Record<string, readonly string[]> = {
  Discussions: ["locked", "lockedReason", "pinned"],
  Memberships: ["role"],
};

const has = (table: Record<string, readonly string[]>, entity: string, name: string) =>
  Object.hasOwn(table, entity) && table[entity]!.includes(name);

/** Scopes of access tokens. */
export const tokenRules = {
  /** Area of an entity's records, undefined if tokens have no access to them. */
  entityArea: (entity: string): TokenArea | undefined =>
    Object.hasOwn(ENTITY_AREAS, entity) ? ENTITY_AREAS[entity] : undefined,

  /** Area of a service, undefined if tokens may not call it. */
  serviceArea: (entity: string, name: string): TokenArea | undefined =>
    has(SESSION_SERVICES, entity, name)
      ? undefined
      : has(MODERATION_SERVICES, entity, name)
        ? "moderation"
        : tokenRules.entityArea(entity),

  /** Area of a change to one column. `isOwn`: the record is the viewer's own membership. */
  columnArea: (entity: string, column: string, { isOwn }: { isOwn: boolean }): TokenArea | undefined =>
    has(MODERATION_COLUMNS, entity, column) || (entity === "Memberships" && column === "state" && !isOwn)
      ? "moderation"
      : tokenRules.entityArea(entity),

  /** Whether the viewer may use an area. Without a token, everyone may. */
  use: (
    { scopes, groupIds }: Pick<Viewer, "scopes" | "groupIds">,
    area: TokenArea | undefined,
    access: TokenAccess,
  ): boolean =>
    scopes === undefined ||
    (area !== undefined &&
      (groupIds === undefined || GROUP_AREAS.includes(area)) &&
      (scopes.includes(`${area}:write`) || (access === "read" && scopes.includes(`${area}:read`)))),

  /** Whether the viewer's token reaches a group, and what belongs to it. Null is the whole community. */
  reachesGroup: ({ groupIds }: Pick<Viewer, "groupIds">, groupId: string | null): boolean =>
    groupIds === undefined || (groupId !== null && groupIds.includes(groupId)),

  /** The role with which a token acts: staff are members unless the token is for moderation. */
  role: (role: Viewer["role"], scopes: readonly string[]): Viewer["role"] =>
    role === "guest" || scopes.includes("moderation:write") ? role : "member",
};
