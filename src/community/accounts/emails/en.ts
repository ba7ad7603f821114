import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "If that was not you, set a new password now: it signs you out everywhere.";
const ignoreNote = "If you did not ask for this, you need not do anything.";

export const english: AccountEmailTexts = {
  hello: "Hello {name},",
  why: "You get this because you have an account at {community}, or because someone entered this address there.",
  letters: {
    confirm: {
      subject: "Confirm your email address for {community}",
      lines: [
        "welcome to {community}! Confirm that this is your email address. Your username is " +
          "@{username}. The link works once, for 48 hours.",
        "If you did not register, ignore this email.",
      ],
      button: "Confirm email address",
    },
    confirmForApproval: {
      subject: "Confirm your email address for {community}",
      lines: [
        "you have asked to join {community} as @{username}. Confirm that this is your email address; a " +
          "moderator then reviews your registration, and we email you the decision. The link works once, " +
          "for 48 hours.",
        "If you did not register, ignore this email.",
      ],
      button: "Confirm email address",
    },
    alreadyHere: {
      subject: "You already have an account",
      lines: [
        "someone, probably you, tried to register at {community} with this address. You already have " +
          "an account: @{username}.",
        "If you have forgotten your password, you can set a new one.",
      ],
      button: "Set a new password",
    },
    connectProvider: {
      subject: "Connect {provider} to your account",
      lines: [
        "someone, probably you, tried to sign in to {community} with {provider} and this address. You " +
          "already have an account: @{username}.",
        "If it was you, sign in as usual, then connect {provider} in your settings. If not, you need not do anything.",
      ],
      button: "Connect {provider}",
    },
    resetPassword: {
      subject: "Set a new password",
      lines: [
        "here you can set a new password for @{username}. The link works once, for one hour.",
        ignoreNote,
      ],
      button: "Set a new password",
    },
    signInLink: {
      subject: "Your link to sign in",
      lines: ["this link signs you in to {community}. It works once, for 15 minutes.", ignoreNote],
      button: "Sign in",
    },
    confirmNewAddress: {
      subject: "Confirm your new address",
      lines: [
        "confirm that {email} is the new email address of @{username}. The link works once, for 48 hours.",
        ignoreNote,
      ],
      button: "Confirm new address",
    },
    addressChanging: {
      subject: "Your address is about to change",
      lines: [
        "the email address of @{username} changes to {email} as soon as the new address is confirmed.",
        notYouNote,
      ],
      button: "That was not me",
    },
    addressChanged: {
      subject: "Your address has changed",
      lines: [
        "the email address of @{username} is now {email}. We no longer send emails to the " +
          "previous address.",
        "If that was not you, contact the admins of {community}.",
      ],
    },
    passwordChanged: {
      subject: "Your password has changed",
      lines: [
        "the password of @{username} was changed ({when}). You were signed out everywhere else.",
        notYouNote,
      ],
      button: "That was not me",
    },
    newDevice: {
      subject: "New sign-in",
      lines: ["someone signed in as @{username} with an unknown browser: {device}, {when}.", notYouNote],
      button: "That was not me",
    },
    secondStepOn: {
      subject: "Two-factor authentication is on",
      lines: [
        "from now on, signing in as @{username} with a password needs a second factor: a code of your " +
          "app, or a passkey. Keep your recovery codes in a safe place.",
        notYouNote,
      ],
      button: "That was not me",
    },
    secondStepOff: {
      subject: "Two-factor authentication is off",
      lines: ["signing in as @{username} no longer needs a second factor.", notYouNote],
      button: "That was not me",
    },
    passkeyAdded: {
      subject: "A passkey was added",
      lines: [
        "from now on, the passkey “{device}” signs in as @{username} ({when}).",
        "If that was not you, remove the passkey in your settings now, and set a new password.",
      ],
      button: "View passkeys",
    },
    passkeyRemoved: {
      subject: "A passkey was removed",
      lines: [
        "the passkey “{device}” no longer signs in as @{username} ({when}).",
        "If that was not you, check your passkeys in your settings now, and set a new password.",
      ],
      button: "View passkeys",
    },
    tokenCreated: {
      subject: "An access token was created",
      lines: [
        "from now on, programs that have the access token “{device}” act as @{username} within " +
          "its scopes ({when}).",
        "If that was not you, revoke the token in your settings now, and set a new password.",
      ],
      button: "View access tokens",
    },
    tokenRevoked: {
      subject: "An access token was revoked",
      lines: [
        "an admin of {community} revoked your access token “{device}” ({when}).",
        "Programs that used it no longer have access. You can create a new one in your settings.",
      ],
      button: "View access tokens",
    },
    testEmail: {
      subject: "Email works",
      lines: [
        "this is a test of the mail server of {community}. It works: " +
          "members can confirm their addresses and reset passwords.",
      ],
      button: "Go to {community}",
    },
    exportReady: {
      subject: "Your data is ready",
      lines: [
        "the export of your data at {community} is ready. Only you can download it, for seven days.",
        ignoreNote,
      ],
      button: "Download data",
    },
    pictureTaken: {
      subject: "Your picture was removed",
      lines: [
        "the staff of {community} removed a picture from your profile (@{username}).",
        "Reason: {reason}",
        "You can upload another one at any time.",
      ],
    },
    approved: {
      subject: "Welcome to {community}",
      lines: ["your account @{username} has been approved. We are glad to have you."],
      button: "Sign in",
    },
    declined: {
      subject: "Your registration at {community}",
      lines: [
        "the moderators of {community} rejected your registration (@{username}).",
        "Reason: {reason}",
        "Your account and its data were deleted. You can register again.",
      ],
    },
    limited: {
      subject: "Your account is restricted",
      lines: [
        "the moderators of {community} restricted your account @{username}: you can read, and message " +
          "only people you know.",
        "Reason: {reason}",
        "The restriction ends automatically: {until}.",
        "A person made this decision, not a program.",
        "You can appeal once, within 20 days.",
      ],
      button: "Account status",
    },
    suspended: {
      subject: "Your account is suspended",
      lines: [
        "the moderators of {community} suspended your account @{username}: you cannot sign in.",
        "Reason: {reason}",
        "The suspension ends automatically: {until}.",
        "A person made this decision, not a program.",
        "You can appeal once, within 20 days.",
      ],
      button: "Account status",
    },
    sanctionOver: {
      subject: "Your account is active again",
      lines: ["your account @{username} at {community} has no restrictions any more.", "Reason: {reason}"],
      button: "Sign in",
    },
    sanctionStays: {
      subject: "Decision on your appeal",
      lines: [
        "your appeal about your account @{username} at {community} was rejected.",
        "Reason: {reason}",
        "The restriction or suspension ends automatically: {until}.",
        "A person made this decision, not a program.",
      ],
    },
  },
};
