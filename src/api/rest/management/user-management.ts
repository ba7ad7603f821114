import { z } from "zod";
import { deleteRole, createRole, listCustomRoles, getApiUser, SYSTEM_ROLES } from "#community/accounts";
import { OPERATOR } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import { parseInput } from "../parse-input.ts";
import type { Call, RestContext, Route } from "../rest-route.ts";
import { setUserStatus, updateUser } from "../users/account-routes.ts";
import { toUserRecord } from "../users/user-record.ts";

/** Registration, sessions, account changes and roles. */
export const userManagement: Route[] = [
  {
    method: "GET",
    path: "/users/registration",
    handle: async ({ app }) => formatRegistration(await app.settings.getNow()),
  },
  { method: "PUT", path: "/users/registration", handle: setRegistration },
  {
    method: "GET",
    path: "/users/login",
    handle: async ({ app }) => formatLogin(await app.settings.getNow()),
  },
  { method: "PUT", path: "/users/login", handle: setLogin },
  { method: "GET", path: "/limits", handle: async ({ app }) => formatLimits(await app.settings.getNow()) },
  { method: "PUT", path: "/limits", handle: setLimits },
  { method: "PUT", path: "/users/:id", handle: changeUserRecord },
  {
    method: "GET",
    path: "/roles",
    handle: async ({ app }) => [
      ...SYSTEM_ROLES,
      ...(await listCustomRoles(app.database.db, OPERATOR)).map(({ name }) => name),
    ],
  },
  {
    method: "PUT",
    path: "/roles/:name",
    handle: (call) => runRoleCommand(call, createRole, (name) => ({ name })),
  },
  {
    method: "DELETE",
    path: "/roles/:name",
    handle: (call) => runRoleCommand(call, deleteRole, () => ({ deleted: true })),
  },
];

const countLimit = z.int().min(0).max(100_000);
const RegistrationBody = z.strictObject({
  userRegistrationEnabled: z.boolean().optional(),
  emailConfirmationRequired: z.boolean().optional(),
  approvalRequired: z.boolean().optional(),
  inviteOnly: z.boolean().optional(),
  accountsPerAddress: countLimit.optional(),
  registrationTries: countLimit.optional(),
});
const LoginBody = z.strictObject({
  enableMultipleLogins: z.boolean().optional(),
  maxConcurrentLogins: countLimit.optional(),
  logoutLastUser: z.boolean().optional(),
  failedLoginsLock: countLimit.optional(),
  lockMinutes: countLimit.optional(),
});
const LimitsBody = z.strictObject({
  apiCalls: countLimit.optional(),
  apiCallsOfPerson: countLimit.optional(),
  tableRows: z.int().min(0).max(1_000_000_000).optional(),
  tableMegabytes: z.int().min(0).max(10_000_000).optional(),
});

const formatRegistration = ({
  registration,
  confirmAddress,
  accountsPerAddress,
  registrationTries,
}: SiteSettings) => ({
  userRegistrationEnabled: registration !== "closed",
  emailConfirmationRequired: confirmAddress,
  approvalRequired: registration === "approval",
  inviteOnly: registration === "closed",
  accountsPerAddress,
  registrationTries,
});
const formatLogin = ({
  severalLogins,
  mostLogins,
  newLoginWins,
  wrongPasswordsLock,
  lockMinutes,
}: SiteSettings) => ({
  enableMultipleLogins: severalLogins,
  maxConcurrentLogins: mostLogins,
  // On the hosted service, "log out the last user" refuses the later of two sign-ins.
  logoutLastUser: !newLoginWins,
  failedLoginsLock: wrongPasswordsLock,
  lockMinutes,
});
const formatLimits = ({ apiCalls, apiCallsOfPerson, tableRows, tableMegabytes }: SiteSettings) => ({
  apiCalls,
  apiCallsOfPerson,
  tableRows,
  tableMegabytes,
});

/** Applies the given settings and answers with all of them. */
async function changeSettings<A>(
  app: RestContext,
  changes: Partial<SiteSettings>,
  shown: (site: SiteSettings) => A,
): Promise<A> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await app.database.inTransaction((tx) => app.settings.set(tx, OPERATOR, given));
  return shown(await app.settings.getNow());
}

/**
 * `userRegistrationEnabled` and `inviteOnly` are two names of one setting. Scripts send everything back with
 * one value changed, so the value that differs from the stored one decides.
 */
async function setRegistration({ app, body }: Call) {
  const { userRegistrationEnabled, inviteOnly, approvalRequired, emailConfirmationRequired, ...rest } =
    parseInput(RegistrationBody, body);
  const before = formatRegistration(await app.settings.getNow());
  const asked = [inviteOnly, userRegistrationEnabled === undefined ? undefined : !userRegistrationEnabled];
  const closed = asked.find((it) => it !== undefined && it !== before.inviteOnly) ?? before.inviteOnly;
  const registration = closed
    ? "closed"
    : (approvalRequired ?? before.approvalRequired)
      ? "approval"
      : "open";
  return changeSettings(
    app,
    {
      ...rest,
      registration,
      ...(emailConfirmationRequired !== undefined && { confirmAddress: emailConfirmationRequired }),
    },
    formatRegistration,
  );
}

async function setLogin({ app, body }: Call) {
  const it = parseInput(LoginBody, body);
  const changes = {
    severalLogins: it.enableMultipleLogins,
    mostLogins: it.maxConcurrentLogins,
    newLoginWins: it.logoutLastUser === undefined ? undefined : !it.logoutLastUser,
    wrongPasswordsLock: it.failedLoginsLock,
    lockMinutes: it.lockMinutes,
  };
  return changeSettings(app, changes as Partial<SiteSettings>, formatLogin);
}

async function setLimits({ app, body }: Call) {
  return changeSettings(app, parseInput(LimitsBody, body) as Partial<SiteSettings>, formatLimits);
}

const UserStatusBody = z.object({ userStatus: z.enum(["ENABLED", "DISABLED"]).optional() }).loose();

async function changeUserRecord(call: Call) {
  const { userStatus, ...columns } = parseInput(UserStatusBody, call.body);
  const { id } = call.params as { id: string };
  if (Object.keys(columns).length > 0) return updateUser({ ...call, body: columns }, id, userStatus);
  if (userStatus !== undefined) await setUserStatus(call, id, userStatus);
  return toUserRecord(await getApiUser(call.app.database.db, OPERATOR, id));
}

async function runRoleCommand<A>(
  call: Call,
  verb: typeof createRole,
  answer: (name: string) => A,
): Promise<A> {
  const name = call.params["name"]!;
  await call.app.database.inTransaction((tx) => verb(tx, OPERATOR, name));
  return answer(name);
}
