// Accounts: registration, sign-in and sessions, as one stateful object.
export { openAccounts } from "./accounts.ts";
export type { AccountsApi } from "./accounts.ts";
export { ACCOUNT_MAIL_TASK, type RequestedMail } from "./account-mail.ts";
export type {
  AccountsOptions,
  SessionKind,
  ClientInfo,
  SessionIdentity,
  ApiIdentity,
  ProviderSignInOutcome,
  RegistrationResult,
  SignedInPerson,
  SessionEntry,
  SignInResult,
  ProviderPropertyMap,
  StartedSession,
} from "./door.ts";
export type { Passkey } from "./passkeys/keep.ts";
export type { SignInProvider } from "./providers/index.ts";
export { SignInRefusal } from "./states.ts";
export { NewAccount, NewPassword } from "./forms.ts";
export { assertPasswordAllowed } from "./password-rules.ts";
export { hashPassword } from "./passwords.ts";

// Accounts as API clients see them.
export { hasRoleCondition, getApiUser, listApiUsers } from "./programs/users.ts";
export type { ApiUser } from "./programs/users.ts";
export { addUserProperty, dropUserProperty, listUserProperties } from "./programs/properties.ts";
export type { UserProperty } from "./programs/properties.ts";
export { deleteRole, assignRole, createRole, listCustomRoles, listRolesOfPerson, SYSTEM_ROLES, unassignRole } from "./programs/roles.ts";
export { readNewAccount } from "./programs/create-user.ts";
export type { PreparedUser } from "./programs/create-user.ts";
export type { ChangePlan, ApiUserChanges } from "./programs/accounts.ts";

// People as others see them.
export { getPerson, listPersonSummaries } from "./profiles.ts";
export type { Profile } from "./profiles.ts";
export { countPeople, listDirectory } from "./directory.ts";
export { getAccount } from "./own-account.ts";
export type { Account } from "./own-account.ts";
export { visiblePeople, blockedEitherWay, fieldReadable, guestVisibilitySetting, personColumns } from "./visible.ts";
export type { PersonSummary } from "./visible.ts";

// Profile fields that the community defines.
export {
  addProfileField,
  restoreProfileField,
  changeProfileField,
  listProfileFields,
  moveProfileField,
  retireProfileField,
} from "./fields/define.ts";
export type { ProfileFieldDefinition } from "./fields/define.ts";
export { answerFields, listSearchableFields, listFieldsToFill } from "./fields/answers.ts";
export { effectiveAudience } from "./fields/sight.ts";
export type { FieldAnswer, FieldToFill } from "./fields/answers.ts";
export { AnswersForm, FieldForm, NewFieldForm } from "./fields/forms.ts";

// Personal exports.
export { requestExport, getExportFile, getOwnExport, deleteExpiredExports } from "./exports.ts";
export type { PersonalExport } from "./exports.ts";

// Email layout.
export { composeEmail } from "./letters/letter.ts";

// Profile editing.
export { updateProfile, updatePrivacy, updateDisplay, ProfileForm, PrivacyForm, DisplayForm } from "./edit-profile.ts";
export { openProfilePictures, getPicture, storePicture } from "./pictures.ts";
export type { ProfilePictures, NewPicture } from "./pictures.ts";

// Account administration by staff and jobs.
export { getAccountEntry, listAccounts, revealEmail } from "./looking-after.ts";
export type { AccountEntry } from "./looking-after.ts";
export { getOwnSanction } from "./sanctions.ts";
export type { OwnSanction } from "./sanctions.ts";
export { overruleSanction, setStatus, setRole } from "./status.ts";
export { deleteUnverified, eraseDeactivated, liftEndedSanctions, deleteExpiredRows } from "./housekeeping.ts";
export { markEstablished, establishInvitee } from "./establish.ts";
export { addPerson } from "./add-person.ts";
export { assignUsernames } from "./usernames.ts";
export type { NewPerson } from "./add-person.ts";

// Onboarding: rules, welcome tour, mail level.
export {
  acceptRules,
  getArrival,
  finishWelcome,
  needsWelcome,
  MAX_JOIN_REASON,
  MAIL_LEVELS,
  reachWelcomeStep,
  setMailLevel,
} from "./welcome.ts";
export type { Arrival, MailLevel } from "./welcome.ts";
export { assertRenameLimit } from "./renaming.ts";
