import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "If that was not you, set a new password now: it ends every session.";
const ignoreNote = "If you did not ask for this, you need not do anything.";

export const english: AccountEmailTexts = {
  hello: "Hello {name},",
  why: "You get this because you have an account at {community}, or because somebody gave this address there.",
  letters: {
    confirm: {
      subject: "Confirm your address for {community}",
      lines: [
        "welcome to {community}! Please confirm that this is your address. You will be @{username} there. The link works once, for 48 hours.",
        "If you did not register, please do not follow it.",
      ],
      button: "Confirm my address",
    },
    alreadyHere: {
      subject: "You already have an account",
      lines: [
        "somebody, probably you, wanted to register at {community} with this address. You have an account already: @{username}.",
        "If you have forgotten your password, you can set a new one.",
      ],
      button: "Set a new password",
    },
    connectProvider: {
      subject: "Connect {provider} to your account",
      lines: [
        "somebody, probably you, wanted to sign in to {community} with {provider} and this address. You have an account already: @{username}.",
        "If it was you: sign in as usual, then connect {provider} in your settings. From then on it signs you in. If it was not, there is nothing to do.",
      ],
      button: "Connect {provider}",
    },
    resetPassword: {
      subject: "Set a new password",
      lines: ["here you can set a new password for @{username}. The link works once, for one hour.", ignoreNote],
      button: "Set a new password",
    },
    signInLink: {
      subject: "Your link to sign in",
      lines: ["this link signs you in to {community}. It works once, for 15 minutes.", ignoreNote],
      button: "Sign in",
    },
    confirmNewAddress: {
      subject: "Confirm your new address",
      lines: ["please confirm that {email} is to be the new address of @{username}. The link works once, for 48 hours.", ignoreNote],
      button: "Confirm the new address",
    },
    addressChanging: {
      subject: "Your address is about to change",
      lines: ["the mail address of @{username} is to become {email}. It holds once it is confirmed there.", notYouNote],
      button: "That was not me",
    },
    addressChanged: {
      subject: "Your address has changed",
      lines: [
        "the mail address of @{username} is now {email}. We no longer write to this one.",
        "If that was not you, please write to those who look after {community}.",
      ],
    },
    passwordChanged: {
      subject: "Your password has changed",
      lines: ["the password of @{username} was changed ({when}). Every other session has ended.", notYouNote],
      button: "That was not me",
    },
    newDevice: {
      subject: "A new sign-in",
      lines: ["somebody signed in as @{username} with a browser we did not know: {device}, {when}.", notYouNote],
      button: "That was not me",
    },
    secondStepOn: {
      subject: "Signing in now takes two steps",
      lines: [
        "from now on, signing in as @{username} with a password asks for a second step: a code of your app, or a passkey. Keep your recovery codes in a safe place.",
        notYouNote,
      ],
      button: "That was not me",
    },
    secondStepOff: {
      subject: "The second step is off",
      lines: ["signing in as @{username} no longer asks for a second step.", notYouNote],
      button: "That was not me",
    },
    passkeyAdded: {
      subject: "A passkey was added",
      lines: [
        "from now on, the passkey “{device}” signs in as @{username} ({when}).",
        "If that was not you, remove it in your settings now, and set a new password.",
      ],
      button: "Look at your passkeys",
    },
    passkeyRemoved: {
      subject: "A passkey was removed",
      lines: [
        "the passkey “{device}” no longer signs in as @{username} ({when}).",
        "If that was not you, look at your passkeys in your settings now, and set a new password.",
      ],
      button: "Look at your passkeys",
    },
    exportReady: {
      subject: "Your data is ready",
      lines: ["everything of yours at {community} has been put together. You can fetch it for seven days; nobody else can.", ignoreNote],
      button: "Fetch it",
    },
    pictureTaken: {
      subject: "A picture of yours was removed",
      lines: [
        "those who run {community} have removed a picture from your profile (@{username}).",
        "Their reason: {reason}",
        "You can put another one there at any time.",
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
        "those who look after {community} have read your registration (@{username}) and decided not to let you in.",
        "They say: {reason}",
        "Your account is gone, with all that you gave with it. Nothing keeps you from registering again.",
      ],
    },
    limited: {
      subject: "Your account is limited",
      lines: [
        "those who look after {community} have limited your account @{username}: for now you can read, and write nothing but messages to people you know here.",
        "The reason: {reason}",
        "It ends by itself: {until}.",
        "You can ask once, for twenty days, that somebody else looks at it.",
      ],
      button: "Account status",
    },
    suspended: {
      subject: "Your account is suspended",
      lines: [
        "those who look after {community} have suspended your account @{username}: for now you cannot sign in.",
        "The reason: {reason}",
        "It ends by itself: {until}.",
        "You can ask once, for twenty days, that somebody else looks at it.",
      ],
      button: "Account status",
    },
    sanctionOver: {
      subject: "Your account is open again",
      lines: [
        "nothing holds against your account @{username} at {community} any more: you can read and write as before.",
        "They say: {reason}",
      ],
      button: "Sign in",
    },
    sanctionStays: {
      subject: "Your account: it stays as it was decided",
      lines: [
        "you asked that what was decided about your account @{username} at {community} is looked at again. It stays as it was decided.",
        "The reason: {reason}",
        "It ends by itself: {until}.",
      ],
    },
  },
};
