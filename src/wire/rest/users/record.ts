import type { ProgramUser } from "#community/people";

/** States of accounts in the words of programs. */
const STATUS: Record<string, string> = {
  active: "ENABLED",
  limited: "ENABLED",
  suspended: "DISABLED",
  deactivated: "DISABLED",
  unverified: "EMAIL_CONFIRMATION_PENDING",
  pending_approval: "EMAIL_CONFIRMATION_PENDING",
  guest: "GUEST",
};

/** One user on the wire. What is hidden from who asks is not there. */
export function userRecord({ id, username, name, createdAt, updatedAt, own, shared }: ProgramUser): Record<string, unknown> {
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
    // First: a property that a program has made never stands in the place of what the community knows.
    ...own.properties,
    ...all,
    email: own.email,
    userStatus: STATUS[own.state],
    lastLogin: own.seenAt?.getTime() ?? null,
    socialAccount: own.provider?.toUpperCase() ?? null,
    blUserLocale: own.locale,
  };
}

/** Somebody who has just registered, said from what they gave: nobody learns from it whether their address was free. */
export const newUserRecord = (it: {
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
  userStatus: STATUS[it.state],
  lastLogin: null,
  socialAccount: null,
  blUserLocale: it.locale,
});
