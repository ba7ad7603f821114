import type { ApiUser } from "#community/accounts";

/** Account states by the API's names. */
const STATUS_NAMES: Record<string, string> = {
  active: "ENABLED",
  limited: "ENABLED",
  suspended: "DISABLED",
  deactivated: "DISABLED",
  unverified: "EMAIL_CONFIRMATION_PENDING",
  pending_approval: "EMAIL_CONFIRMATION_PENDING",
  guest: "GUEST",
};

/** Creates a user record for the API. Fields hidden from the caller are missing. */
export function toUserRecord({
  id,
  username,
  name,
  createdAt,
  updatedAt,
  own,
  shared,
}: ApiUser): Record<string, unknown> {
  const all = {
    objectId: id,
    ownerId: id,
    created: createdAt.getTime(),
    updated: updatedAt?.getTime() ?? null,
    ___class: "Users",
    username,
    name,
  };
  if (!own) return { ...shared, ...all };
  return {
    // Custom properties come first, so that none overrides a community field.
    ...own.properties,
    ...all,
    email: own.email,
    userStatus: STATUS_NAMES[own.state],
    lastLogin: own.seenAt?.getTime() ?? null,
    socialAccount: own.provider?.toUpperCase() ?? null,
    blUserLocale: own.locale,
  };
}

/**
 * Creates the record of a new user from the input alone, so that it does not reveal whether the address was
 * taken.
 */
export const toNewUserRecord = (it: {
  id: string;
  username: string;
  name: string;
  email: string;
  state: string;
  properties: object;
  locale: string;
  at: Date;
}) => ({
  ...it.properties,
  objectId: it.id,
  ownerId: it.id,
  created: it.at.getTime(),
  updated: null,
  ___class: "Users",
  username: it.username,
  name: it.name,
  email: it.email,
  userStatus: STATUS_NAMES[it.state],
  lastLogin: null,
  socialAccount: null,
  blUserLocale: it.locale,
});
