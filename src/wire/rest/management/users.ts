import { z } from "zod";
import { dropRole, makeRole, ownRoles, programUserFor, SYSTEM_ROLES } from "#community/people";
import { OPERATOR } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import { parsed } from "../parse.ts";
import type { Call, RestHouse, Route } from "../route.ts";
import { setUserStatus, updateUser } from "../users/account.ts";
import { userRecord } from "../users/record.ts";

/** Registration, sessions, account changes and roles. */
export const userManagement: Route[] = [
  { method: "GET", path: "/users/registration", handle: async ({ house }) => registrationOf(await house.settings.getNow()) },
  { method: "PUT", path: "/users/registration", handle: setRegistration },
  { method: "GET", path: "/users/login", handle: async ({ house }) => loginOf(await house.settings.getNow()) },
  { method: "PUT", path: "/users/login", handle: setLogin },
  { method: "GET", path: "/limits", handle: async ({ house }) => limitsOf(await house.settings.getNow()) },
  { method: "PUT", path: "/limits", handle: setLimits },
  { method: "PUT", path: "/users/:id", handle: changeUser },
  {
    method: "GET",
    path: "/roles",
    handle: async ({ house }) => [...SYSTEM_ROLES, ...(await ownRoles(house.database.db, OPERATOR)).map(({ name }) => name)],
  },
  { method: "PUT", path: "/roles/:name", handle: (call) => withRole(call, makeRole, (name) => ({ name })) },
  { method: "DELETE", path: "/roles/:name", handle: (call) => withRole(call, dropRole, () => ({ deleted: true })) },
];

const count = z.int().min(0).max(100_000);
const Registration = z.strictObject({
  userRegistrationEnabled: z.boolean().optional(),
  emailConfirmationRequired: z.boolean().optional(),
  approvalRequired: z.boolean().optional(),
  inviteOnly: z.boolean().optional(),
  accountsPerAddress: count.optional(),
  registrationTries: count.optional(),
});
const Login = z.strictObject({
  enableMultipleLogins: z.boolean().optional(),
  maxConcurrentLogins: count.optional(),
  logoutLastUser: z.boolean().optional(),
  failedLoginsLock: count.optional(),
  lockMinutes: count.optional(),
});
const LimitsForm = z.strictObject({
  apiCalls: count.optional(),
  apiCallsOfPerson: count.optional(),
  tableRows: z.int().min(0).max(1_000_000_000).optional(),
  tableMegabytes: z.int().min(0).max(10_000_000).optional(),
});

const registrationOf = ({ registration, confirmAddress, accountsPerAddress, registrationTries }: SiteSettings) => ({
  userRegistrationEnabled: registration !== "closed",
  emailConfirmationRequired: confirmAddress,
  approvalRequired: registration === "approval",
  inviteOnly: registration === "closed",
  accountsPerAddress,
  registrationTries,
});
const loginOf = ({ severalLogins, mostLogins, newLoginWins, wrongPasswordsLock, lockMinutes }: SiteSettings) => ({
  enableMultipleLogins: severalLogins,
  maxConcurrentLogins: mostLogins,
  // On the hosted service, "log out the last user" refuses the later of two sign-ins.
  logoutLastUser: !newLoginWins,
  failedLoginsLock: wrongPasswordsLock,
  lockMinutes,
});
const limitsOf = ({ apiCalls, apiCallsOfPerson, tableRows, tableMegabytes }: SiteSettings) => ({
  apiCalls,
  apiCallsOfPerson,
  tableRows,
  tableMegabytes,
});

/** Applies the given settings and answers with all of them. */
async function change<A>(house: RestHouse, changes: Partial<SiteSettings>, shown: (site: SiteSettings) => A): Promise<A> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await house.database.inTransaction((tx) => house.settings.set(tx, OPERATOR, given));
  return shown(await house.settings.getNow());
}

/**
 * `userRegistrationEnabled` and `inviteOnly` are two names of one setting. Scripts send everything back with
 * one value changed, so the value that differs from the stored one decides.
 */
async function setRegistration({ house, body }: Call) {
  const { userRegistrationEnabled, inviteOnly, approvalRequired, emailConfirmationRequired, ...rest } = parsed(Registration, body);
  const before = registrationOf(await house.settings.getNow());
  const asked = [inviteOnly, userRegistrationEnabled === undefined ? undefined : !userRegistrationEnabled];
  const closed = asked.find((it) => it !== undefined && it !== before.inviteOnly) ?? before.inviteOnly;
  const registration = closed ? "closed" : (approvalRequired ?? before.approvalRequired) ? "approval" : "open";
  return change(
    house,
    { ...rest, registration, ...(emailConfirmationRequired !== undefined && { confirmAddress: emailConfirmationRequired }) },
    registrationOf,
  );
}

async function setLogin({ house, body }: Call) {
  const it = parsed(Login, body);
  const changes = {
    severalLogins: it.enableMultipleLogins,
    mostLogins: it.maxConcurrentLogins,
    newLoginWins: it.logoutLastUser === undefined ? undefined : !it.logoutLastUser,
    wrongPasswordsLock: it.failedLoginsLock,
    lockMinutes: it.lockMinutes,
  };
  return change(house, changes as Partial<SiteSettings>, loginOf);
}

async function setLimits({ house, body }: Call) {
  return change(house, parsed(LimitsForm, body) as Partial<SiteSettings>, limitsOf);
}

const Status = z.object({ userStatus: z.enum(["ENABLED", "DISABLED"]).optional() }).loose();

async function changeUser(call: Call) {
  const { userStatus, ...columns } = parsed(Status, call.body);
  const { id } = call.params as { id: string };
  if (Object.keys(columns).length > 0) return updateUser({ ...call, body: columns }, id, userStatus);
  if (userStatus !== undefined) await setUserStatus(call, id, userStatus);
  return userRecord(await programUserFor(call.house.database.db, OPERATOR, id));
}

async function withRole<A>(call: Call, verb: typeof makeRole, answer: (name: string) => A): Promise<A> {
  const name = call.params["name"]!;
  await call.house.database.inTransaction((tx) => verb(tx, OPERATOR, name));
  return answer(name);
}
