// App context fields that accounts use.
export { toAccountTx } from "./accounts-context.ts";
export type { AccountHooks, AccountsContext, SessionsContext } from "./accounts-context.ts";
export { createSealer, type Sealer } from "./sealer.ts";
export { createProviders, type Provider } from "./providers/index.ts";
export { ACCOUNT_MAIL_TASK, RequestedMail, sendRequestedMail } from "./emails/requested-mail-job.ts";
export type {
  SessionKind,
  ClientInfo,
  SessionIdentity,
  ApiIdentity,
  ProviderSignInOutcome,
  RegistrationResult,
  SignedInPerson,
  SessionEntry,
  SignInResult,
  ConfirmationResult,
  ProviderPropertyMap,
  StartedSession,
} from "./types.ts";
export type { Passkey } from "./passkeys/manage-passkeys.ts";
export type { SignInProvider } from "./providers/index.ts";
export { SignInRefusal } from "./lifecycle/account-states.ts";
export { Email, NewAccount, NewPassword } from "./account-forms.ts";
export { emailLimitKey } from "./account-limits.ts";
export { assertPasswordAllowed } from "./sign-in/password-rules.ts";
export { hashPassword } from "./sign-in/password-hashing.ts";

// Registration.
export {
  confirmEmail,
  findConfirmation,
  type PendingConfirmation,
  resendConfirmation,
  changePendingAddress,
} from "./registration/confirm-email.ts";
export { needsJoinReason, saveJoinReason } from "./registration/join-reason.ts";
export { isApprovalNeeded } from "./registration/pending-registration.ts";
export { createFormToken, register } from "./registration/register.ts";

// Sign-in and passwords.
export { sendResetLink, isResetLinkValid, resetPassword } from "./sign-in/password-reset.ts";
export { sendSignInLink, signInByLink } from "./sign-in/sign-in-link.ts";
export { signIn } from "./sign-in/sign-in.ts";

// Passkeys and two-factor authentication.
export {
  listPasskeys,
  beginPasskeyCreation,
  addPasskey,
  renamePasskey,
  removePasskey,
} from "./passkeys/manage-passkeys.ts";
export {
  beginPasskeySignIn,
  signInWithPasskey,
  beginPasskeyTwoFactor,
  finishPasskeyTwoFactor,
} from "./passkeys/passkey-sign-in.ts";
export { supportsPasskeys } from "./passkeys/relying-party.ts";
export { beginTotpSetup, confirmTotpSetup, replaceRecoveryCodes } from "./two-factor/totp.ts";
export { finishTwoFactor } from "./two-factor/two-factor-challenge.ts";
export { disableTotp, requirePasskey, stopRequiringPasskey } from "./two-factor/two-factor-methods.ts";

// Sign-in providers.
export {
  beginProviderSignIn,
  signInWithToken,
  finishProviderSignIn,
  unlinkProvider,
} from "./providers/provider-sign-in.ts";

// Sessions.
export {
  findSession,
  findApiIdentity,
  findApiIdentityByPerson,
  findApiIdentityBySession,
  createSocketTicket,
  findSessionByTicket,
  findSessionById,
  filterAdmins,
  filterLiveSessions,
} from "./sessions/sessions.ts";
export { signOut, listSessions, endSession, endOtherSessions } from "./sessions/own-sessions.ts";

// Accounts through the API.
export { changeApiUser, planApiUserChange, changeApiUserWithin } from "./api-users/change-api-user.ts";
export {
  signInAs,
  isOwnPassword,
  sendPasswordLink,
  resendConfirmationTo,
  createConfirmationLink,
  setUserStatus,
} from "./api-users/manage-api-users.ts";

// Personal access tokens.
export {
  createAccessToken,
  listAccessTokens,
  listAllAccessTokens,
  NewAccessToken,
  revokeAccessToken,
} from "./access-tokens/access-tokens.ts";
export type { AccessToken, AccessTokenWithOwner } from "./access-tokens/access-tokens.ts";
export { findTokenIdentity } from "./access-tokens/token-identity.ts";
export type { TokenIdentity } from "./access-tokens/token-identity.ts";
export { isAccessToken } from "./access-tokens/token-format.ts";

// Own account.
export {
  changePassword,
  changeEmail,
  confirmNewEmail,
  changeUsername,
  deactivateAccount,
} from "./profiles/account-changes.ts";

// Account status.
export { removePersonPicture } from "./sanctions/remove-person-picture.ts";
export { ensureFirstAdmin } from "./lifecycle/first-admin.ts";
export { claimFirstAdmin, findFirstAdminSetup } from "./lifecycle/first-admin-setup.ts";
export { sendTestEmail } from "./emails/test-email.ts";
export { signInAsGuest } from "./lifecycle/guest-accounts.ts";

// Accounts as API clients see them.
export { hasRoleCondition, getApiUser, listApiUsers } from "./api-users/api-users.ts";
export type { ApiUser } from "./api-users/api-users.ts";
export {
  addUserProperty,
  dropUserProperty,
  listUserProperties,
  normalizeProperties,
} from "./api-users/user-properties.ts";
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
export { readNewAccount, prepareApiUser, createApiUser } from "./api-users/create-api-user.ts";
export type { PreparedUser } from "./api-users/create-api-user.ts";
export type { ChangePlan, ApiUserChanges } from "./api-users/change-api-user.ts";

// People as others see them.
export { getPerson, listPersonSummaries } from "./profiles/profiles.ts";
export type { Profile } from "./profiles/profiles.ts";
export type { DirectoryEntry } from "./profiles/directory.ts";
export { countPeople, listDirectory } from "./profiles/directory.ts";
export { getAccount } from "./profiles/own-account.ts";
export type { Account } from "./profiles/own-account.ts";
export {
  isPersonVisible,
  blockedEitherWay,
  isFieldReadable,
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
  completeExport,
} from "./profiles/personal-export-requests.ts";
export type { PersonalExport } from "./profiles/personal-export-requests.ts";

// Email layout.
export { composeEmail } from "./emails/compose-account-email.ts";

// Profile editing.
export {
  updateProfile,
  updateProfileOrAwaitApproval,
  updatePrivacy,
  updateDisplay,
  ProfileInput,
  PrivacySettingsInput,
  DisplaySettingsInput,
} from "./profiles/edit-profile.ts";
export {
  latestOwnTexts,
  listOwnPendingProfiles,
  type OwnPendingProfile,
  type ProfileTexts,
  publishProfileTexts,
  type WaitingAnswer,
  withTexts,
} from "./profiles/pending-profile.ts";
export { createProfilePictureStore, getPicture, storePicture } from "./profiles/profile-pictures.ts";
export type { ProfilePictureStore, NewPicture } from "./profiles/profile-pictures.ts";

// Account administration by staff and jobs.
export { getAccountEntry, listAccounts, revealEmail } from "./sanctions/account-list.ts";
export type { AccountEntry } from "./sanctions/account-list.ts";
export {
  getOwnSanction,
  readAccountStatusToken,
  mailStatusNotice,
  mailStatusNoticeWithin,
  mailAppealNotice,
  mailAppealNoticeWithin,
} from "./sanctions/own-sanction.ts";
export type { OwnSanction } from "./sanctions/own-sanction.ts";
export {
  overruleSanction,
  setStatus,
  setRole,
  approveAccount,
  declineAccount,
} from "./sanctions/account-status.ts";
export {
  deleteUnverified,
  eraseDeactivated,
  liftEndedSanctions,
  deleteExpiredRows,
} from "./lifecycle/account-housekeeping.ts";
export { markEstablished, establishInvitee } from "./lifecycle/establish-trust.ts";
export { addPerson } from "./registration/add-person.ts";
export { assignUsernames, suggestUsername } from "./registration/usernames.ts";
export type { NewPerson } from "./registration/add-person.ts";

// Onboarding: rules, welcome tour, mail level.
export {
  acceptRules,
  getOnboardingProgress,
  finishWelcome,
  needsWelcome,
  MAX_JOIN_REASON,
  MAIL_LEVELS,
  saveWelcomeStep,
  setMailLevel,
} from "./registration/onboarding.ts";
export type { OnboardingProgress, MailLevel } from "./registration/onboarding.ts";
export { assertRenameLimit } from "./profiles/rename-limit.ts";
