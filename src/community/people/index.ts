// Accounts: registration, sign-in and sessions, as one stateful object.
export { openAccounts } from "./accounts.ts";
export type { Accounts } from "./accounts.ts";
export { ACCOUNT_MAIL_TASK, type AccountMail } from "./account-mail.ts";
export type {
  AccountsOptions,
  Door,
  From,
  Present,
  Program,
  ProviderSignIn,
  Registered,
  Self,
  SessionLine,
  SignIn,
  Keeping,
  StartedSession,
} from "./door.ts";
export type { Passkey } from "./passkeys/keep.ts";
export type { SignInProvider } from "./providers/index.ts";
export { SignInRefusal } from "./states.ts";
export { NewAccount, NewPassword } from "./forms.ts";
export { checkPassword } from "./password-rules.ts";
export { hashPassword } from "./passwords.ts";

// Accounts as API clients see them.
export { hasRole, programUserFor, programUsers } from "./programs/users.ts";
export type { ProgramUser } from "./programs/users.ts";
export { addProperty, dropProperty, propertiesOfPeople } from "./programs/properties.ts";
export type { Property } from "./programs/properties.ts";
export { dropRole, giveRole, makeRole, ownRoles, rolesOf, SYSTEM_ROLES, takeRole } from "./programs/roles.ts";
export { readNewAccount } from "./programs/create-user.ts";
export type { PreparedUser } from "./programs/create-user.ts";
export type { ChangePlan, ProgramChanges } from "./programs/accounts.ts";

// People as others see them.
export { personFor, summariesOf } from "./profiles.ts";
export type { Profile } from "./profiles.ts";
export { countPeople, directory } from "./directory.ts";
export { accountFor } from "./own-account.ts";
export type { Account } from "./own-account.ts";
export { visiblePeople, blockedEitherWay, fieldReadable, guestsSee, personColumns } from "./visible.ts";
export type { PersonSummary } from "./visible.ts";

// Profile fields that the community defines.
export { addField, bringFieldBack, changeField, definedFields, moveField, retireField } from "./fields/define.ts";
export type { DefinedField } from "./fields/define.ts";
export { answerFields, fieldsToAskBy, fieldsToFill } from "./fields/answers.ts";
export { heldFor } from "./fields/sight.ts";
export type { FieldAnswer, FieldToFill } from "./fields/answers.ts";
export { AnswersForm, FieldForm, NewFieldForm } from "./fields/forms.ts";

// Personal exports.
export { askForExport, exportFileFor, exportOf, forgetExports } from "./exports.ts";
export type { PersonalExport } from "./exports.ts";

// Email layout.
export { letterOf } from "./letters/letter.ts";

// Profile editing.
export { updateProfile, updatePrivacy, updateDisplay, ProfileForm, PrivacyForm, DisplayForm } from "./edit-profile.ts";
export { openPictures, pictureFor, storePicture } from "./pictures.ts";
export type { Pictures, Picture } from "./pictures.ts";

// Account administration by staff and jobs.
export { accountLineFor, accountsFor, addressOf } from "./looking-after.ts";
export type { AccountLine } from "./looking-after.ts";
export { sanctionFor } from "./sanctions.ts";
export type { OwnSanction } from "./sanctions.ts";
export { overruleSanction, setStatus, setRole } from "./status.ts";
export { purgeUnverified, eraseDeactivated, liftEndedSanctions, purgeExpired } from "./housekeeping.ts";
export { establish, vouchFor } from "./establish.ts";
export { addPerson } from "./add-person.ts";
export { usernamesFor } from "./usernames.ts";
export type { NewPerson } from "./add-person.ts";

// Onboarding: rules, welcome tour, mail level.
export { acceptRules, arrivalOf, finishWelcome, isNewHere, JOIN_REASON, MAIL_LEVELS, reachStep, setMailLevel } from "./welcome.ts";
export type { Arrival, MailLevel } from "./welcome.ts";
export { mindRename } from "./renaming.ts";
