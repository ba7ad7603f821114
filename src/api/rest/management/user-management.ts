import { z } from "zod";
import {
  setUserStatus,
  deleteRole,
  createRole,
  listCustomRoles,
  getApiUser,
  SYSTEM_ROLES,
} from "#community/accounts";
import { OPERATOR } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import { defineEndpoint } from "../endpoint.ts";
import type { Call, RestContext } from "../rest-route.ts";
import { DeletionResult, NameList } from "../shapes.ts";
import { updateUser } from "../users/account-routes.ts";
import { findActingViewer } from "../users/login-routes.ts";
import { toUserRecord } from "../users/user-record.ts";

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

const Registration = RegistrationBody.required();
const Login = LoginBody.required();
const RateLimits = LimitsBody.required();
const UserChange = z.looseObject({ userStatus: z.enum(["ENABLED", "DISABLED"]).optional() });

/** Management of registration, sessions, account changes and roles. */
export const userManagementEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/users/registration",
    summary: "Returns the registration settings.",
    response: Registration,
    handle: async ({ app }) => formatRegistration(await app.settings.getNow()),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/users/registration",
    summary: "Changes registration settings; omitted ones stay.",
    body: RegistrationBody,
    response: Registration,
    example: { body: { approvalRequired: true } },
    handle: ({ app, body }) => setRegistration(app, body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/login",
    summary: "Returns the limits of concurrent sessions and of wrong passwords.",
    response: Login,
    handle: async ({ app }) => formatLogin(await app.settings.getNow()),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/users/login",
    summary: "Changes these limits; omitted ones stay.",
    body: LoginBody,
    response: Login,
    example: { body: { lockMinutes: 15 } },
    handle: ({ app, body }) => setLogin(app, body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/limits",
    summary: "Returns the rate limits of the API and the quotas of the data tables.",
    response: RateLimits,
    handle: async ({ app }) => formatLimits(await app.settings.getNow()),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/limits",
    summary: "Changes these limits; omitted ones stay.",
    body: LimitsBody,
    response: RateLimits,
    example: { body: { apiCalls: 600 } },
    handle: ({ app, body }) => changeSettings(app, body as Partial<SiteSettings>, formatLimits),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/users/:id",
    summary: "Changes the properties and the status of a user.",
    body: UserChange,
    response: z.looseObject({ objectId: z.string() }),
    example: {
      params: { id: "01900000-0000-7000-8000-000000000001" },
      body: { userStatus: "ENABLED", name: "Mira" },
    },
    handle: (call) => changeUserRecord(call, call.params.id, call.body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/roles",
    summary: "Lists all roles.",
    response: NameList,
    handle: async ({ app }) => [
      ...SYSTEM_ROLES,
      ...(await listCustomRoles(app.database.db, OPERATOR)).map(({ name }) => name),
    ],
  }),
  defineEndpoint({
    method: "PUT",
    path: "/roles/:name",
    summary: "Creates a role.",
    response: z.object({ name: z.string() }),
    example: { params: { name: "Beekeeper" } },
    handle: async ({ app, params: { name } }) => {
      await app.database.inTransaction((tx) => createRole(tx, OPERATOR, name));
      return { name };
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/roles/:name",
    summary: "Deletes a role and removes it from everyone.",
    response: DeletionResult,
    example: { params: { name: "Gardener" } },
    handle: async ({ app, params: { name } }) => {
      await app.database.inTransaction((tx) => deleteRole(tx, OPERATOR, name));
      return { deleted: true } as const;
    },
  }),
];

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
  // The hosted service's "log out the last user" refuses the later of two sign-ins, which is the opposite of
  // our setting.
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

/** Changes the given settings and returns all settings. */
async function changeSettings<A>(
  app: Pick<RestContext, "database" | "settings">,
  changes: Partial<SiteSettings>,
  shown: (site: SiteSettings) => A,
): Promise<A> {
  const input = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await app.database.inTransaction((tx) => app.settings.set(tx, OPERATOR, input));
  return shown(await app.settings.getNow());
}

/**
 * `userRegistrationEnabled` and `inviteOnly` are two names of one setting. Scripts send back all settings
 * with one changed, so the value that differs from the stored setting decides.
 */
async function setRegistration(
  app: Pick<RestContext, "database" | "settings">,
  input: z.output<typeof RegistrationBody>,
) {
  const { userRegistrationEnabled, inviteOnly, approvalRequired, emailConfirmationRequired, ...rest } = input;
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

async function setLogin(app: Pick<RestContext, "database" | "settings">, it: z.output<typeof LoginBody>) {
  const changes = {
    severalLogins: it.enableMultipleLogins,
    mostLogins: it.maxConcurrentLogins,
    newLoginWins: it.logoutLastUser === undefined ? undefined : !it.logoutLastUser,
    wrongPasswordsLock: it.failedLoginsLock,
    lockMinutes: it.lockMinutes,
  };
  return changeSettings(app, changes as Partial<SiteSettings>, formatLogin);
}

async function changeUserRecord(
  call: Pick<Call, "app" | "caller">,
  id: string,
  { userStatus, ...columns }: z.output<typeof UserChange>,
) {
  if (Object.keys(columns).length > 0) return updateUser({ ...call, body: columns }, id, userStatus);
  if (userStatus !== undefined) await setUserStatus(call.app, findActingViewer(call), id, userStatus);
  return toUserRecord(await getApiUser(call.app.database.db, OPERATOR, id));
}
