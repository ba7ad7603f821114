// Accounts: registration, sign-in and sessions, as one stateful object.
export { openAccounts } from "./accounts.ts";
export type { AccountsApi } from "./accounts.ts";
export { ACCOUNT_MAIL_TASK, type RequestedMail } from "./emails/requested-mail-job.ts";
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
} from "./types.ts";
export type { Passkey } from "./passkeys/manage-passkeys.ts";
export type { SignInProvider } from "./providers/index.ts";
export { SignInRefusal } from "./lifecycle/account-states.ts";
export { NewAccount, NewPassword } from "./account-forms.ts";
export { assertPasswordAllowed } from "./sign-in/password-rules.ts";
export { hashPassword } from "./sign-in/password-hashing.ts";

// Accounts as API clients see them.
export { hasRoleCondition, getApiUser, listApiUsers } from "./api-users/api-users.ts";
export type { ApiUser } from "./api-users/api-users.ts";
export { addUserProperty, dropUserProperty, listUserProperties } from "./api-users/user-properties.ts";
export type { UserProperty } from "./api-users/user-properties.ts";
export {
  deleteRole,
  assignRole,
  createRole,
  listCustomRoles,
  listRolesOfPerson,
  SYSTEM_ROLES,
  unassignRole,
} from "./api-users/user-roles.ts";
export { readNewAccount } from "./api-users/create-api-user.ts";
export type { PreparedUser } from "./api-users/create-api-user.ts";
export type { ChangePlan, ApiUserChanges } from "./api-users/change-api-user.ts";

// People as others see them.
export { getPerson, listPersonSummaries } from "./profiles/profiles.ts";
export type { Profile } from "./profiles/profiles.ts";
export { countPeople, listDirectory } from "./profiles/directory.ts";
export { getAccount } from "./profiles/own-account.ts";
export type { Account } from "./profiles/own-account.ts";
export {
  visiblePeople,
  blockedEitherWay,
  fieldReadable,
  guestVisibilitySetting,
} from "./profiles/people-visibility.ts";

// Profile fields that the community defines.
export {
  addProfileField,
  restoreProfileField,
  changeProfileField,
  listProfileFields,
  moveProfileField,
  retireProfileField,
} from "./profile-fields/manage-profile-fields.ts";
export type { ProfileFieldDefinition } from "./profile-fields/manage-profile-fields.ts";
export {
  answerFields,
  listSearchableFields,
  listFieldsToFill,
} from "./profile-fields/profile-field-answers.ts";
export { effectiveAudience } from "./profile-fields/profile-field-visibility.ts";
export type { FieldAnswer, FieldToFill } from "./profile-fields/profile-field-answers.ts";
export { AnswersForm, FieldForm, NewFieldForm } from "./profile-fields/profile-field-forms.ts";

// Personal exports.
export {
  requestExport,
  getExportFile,
  getOwnExport,
  deleteExpiredExports,
} from "./profiles/personal-export-requests.ts";
export type { PersonalExport } from "./profiles/personal-export-requests.ts";

// Email layout.
export { composeEmail } from "./emails/compose-account-email.ts";

// Profile editing.
export {
  updateProfile,
  updatePrivacy,
  updateDisplay,
  ProfileForm,
  PrivacyForm,
  DisplayForm,
} from "./profiles/edit-profile.ts";
export { openProfilePictures, getPicture, storePicture } from "./profiles/profile-pictures.ts";
export type { ProfilePictures, NewPicture } from "./profiles/profile-pictures.ts";

// Account administration by staff and jobs.
export { getAccountEntry, listAccounts, revealEmail } from "./sanctions/account-list.ts";
export type { AccountEntry } from "./sanctions/account-list.ts";
export { getOwnSanction } from "./sanctions/own-sanction.ts";
export type { OwnSanction } from "./sanctions/own-sanction.ts";
export { overruleSanction, setStatus, setRole } from "./sanctions/account-status.ts";
export {
  deleteUnverified,
  eraseDeactivated,
  liftEndedSanctions,
  deleteExpiredRows,
} from "./lifecycle/account-housekeeping.ts";
export { markEstablished, establishInvitee } from "./lifecycle/establish-trust.ts";
export { addPerson } from "./registration/add-person.ts";
export { assignUsernames } from "./registration/usernames.ts";
export type { NewPerson } from "./registration/add-person.ts";

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
} from "./registration/onboarding.ts";
export type { Arrival, MailLevel } from "./registration/onboarding.ts";
export { assertRenameLimit } from "./profiles/rename-limit.ts";
