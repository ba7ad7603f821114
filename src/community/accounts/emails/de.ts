import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "Falls du das nicht warst, setze jetzt ein neues Passwort: damit enden alle Sitzungen.";
const ignoreNote = "Falls du das nicht angefordert hast, musst du nichts tun.";

export const german: AccountEmailTexts = {
  hello: "Hallo {name},",
  why:
    "Du bekommst diese E-Mail, weil du ein Konto bei {community} hast oder weil jemand diese " +
    "Adresse dort angegeben hat.",
  letters: {
    confirm: {
      subject: "Bestätige deine E-Mail-Adresse für {community}",
      lines: [
        "willkommen bei {community}! Bitte bestätige, dass dies deine E-Mail-Adresse ist. Dein " +
          "Benutzername ist @{username}. Der Link gilt einmal und 48 Stunden lang.",
        "Falls du dich nicht registriert hast, ignoriere diese E-Mail.",
      ],
      button: "E-Mail-Adresse bestätigen",
    },
    confirmForApproval: {
      subject: "Bestätige deine E-Mail-Adresse für {community}",
      lines: [
        "du möchtest {community} als @{username} beitreten. Bitte bestätige, dass dies deine " +
          "E-Mail-Adresse ist; danach prüft die Moderation deine Registrierung, und wir schicken " +
          "dir die Entscheidung per E-Mail. Der Link gilt einmal und 48 Stunden lang.",
        "Falls du dich nicht registriert hast, ignoriere diese E-Mail.",
      ],
      button: "E-Mail-Adresse bestätigen",
    },
    alreadyHere: {
      subject: "Du hast schon ein Konto",
      lines: [
        "jemand, vermutlich du, wollte sich mit dieser Adresse bei {community} registrieren. Du hast " +
          "schon ein Konto: @{username}.",
        "Falls du dein Passwort vergessen hast, kannst du ein neues festlegen.",
      ],
      button: "Neues Passwort festlegen",
    },
    connectProvider: {
      subject: "{provider} mit deinem Konto verbinden",
      lines: [
        "jemand, vermutlich du, wollte sich mit {provider} und dieser Adresse bei {community} " +
          "anmelden. Du hast schon ein Konto: @{username}.",
        "Falls du es warst, melde dich wie gewohnt an und verbinde {provider} dann in deinen " +
          "Einstellungen. Falls nicht, musst du nichts tun.",
      ],
      button: "{provider} verbinden",
    },
    resetPassword: {
      subject: "Neues Passwort festlegen",
      lines: [
        "hier kannst du ein neues Passwort für @{username} festlegen. Der Link gilt einmal und " +
          "eine Stunde lang.",
        ignoreNote,
      ],
      button: "Neues Passwort festlegen",
    },
    signInLink: {
      subject: "Dein Link zum Anmelden",
      lines: ["dieser Link meldet dich bei {community} an. Er gilt einmal und 15 Minuten lang.", ignoreNote],
      button: "Anmelden",
    },
    confirmNewAddress: {
      subject: "Bestätige deine neue Adresse",
      lines: [
        "bitte bestätige, dass {email} die neue Adresse von @{username} sein soll. Der Link gilt " +
          "einmal und 48 Stunden lang.",
        ignoreNote,
      ],
      button: "Neue Adresse bestätigen",
    },
    addressChanging: {
      subject: "Deine E-Mail-Adresse wird geändert",
      lines: [
        "die E-Mail-Adresse von @{username} wird zu {email} geändert, sobald die neue Adresse " +
          "bestätigt ist.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    addressChanged: {
      subject: "Deine E-Mail-Adresse wurde geändert",
      lines: [
        "die E-Mail-Adresse von @{username} ist jetzt {email}. An die bisherige Adresse senden " +
          "wir keine E-Mails mehr.",
        "Falls du das nicht warst, wende dich an die Administration von {community}.",
      ],
    },
    passwordChanged: {
      subject: "Dein Passwort wurde geändert",
      lines: [
        "das Passwort von @{username} wurde geändert ({when}). Du wurdest überall sonst abgemeldet.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    newDevice: {
      subject: "Neue Anmeldung",
      lines: [
        "jemand hat sich als @{username} mit einem unbekannten Browser angemeldet: {device}, {when}.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    secondStepOn: {
      subject: "Zwei-Faktor-Authentifizierung ist an",
      lines: [
        "ab jetzt braucht die Anmeldung als @{username} mit Passwort einen zweiten Faktor: einen " +
          "Code aus deiner App oder einen Passkey. Bewahre deine Wiederherstellungscodes sicher " +
          "auf.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    secondStepOff: {
      subject: "Zwei-Faktor-Authentifizierung ist aus",
      lines: ["die Anmeldung als @{username} braucht keinen zweiten Faktor mehr.", notYouNote],
      button: "Das war ich nicht",
    },
    passkeyAdded: {
      subject: "Ein Passkey wurde hinzugefügt",
      lines: [
        "ab jetzt kann man sich mit dem Passkey „{device}“ als @{username} anmelden ({when}).",
        "Falls du das nicht warst, entferne den Passkey jetzt in deinen Einstellungen und lege " +
          "ein neues Passwort fest.",
      ],
      button: "Passkeys ansehen",
    },
    passkeyRemoved: {
      subject: "Ein Passkey wurde entfernt",
      lines: [
        "mit dem Passkey „{device}“ kann man sich nicht mehr als @{username} anmelden ({when}).",
        "Falls du das nicht warst, prüfe jetzt in deinen Einstellungen deine Passkeys und lege " +
          "ein neues Passwort fest.",
      ],
      button: "Passkeys ansehen",
    },
    tokenCreated: {
      subject: "Ein Zugriffstoken wurde erstellt",
      lines: [
        "ab jetzt handeln Programme mit dem Zugriffstoken „{device}“ innerhalb seiner " +
          "Berechtigungen als @{username} ({when}).",
        "Falls du das nicht warst, widerrufe das Token jetzt in deinen Einstellungen und lege ein " +
          "neues Passwort fest.",
      ],
      button: "Zugriffstoken ansehen",
    },
    tokenRevoked: {
      subject: "Ein Zugriffstoken wurde widerrufen",
      lines: [
        "die Administration von {community} hat dein Zugriffstoken „{device}“ widerrufen ({when}).",
        "Programme, die es verwendet haben, haben keinen Zugriff mehr. In deinen Einstellungen " +
          "kannst du ein neues erstellen.",
      ],
      button: "Zugriffstoken ansehen",
    },
    testEmail: {
      subject: "E-Mail funktioniert",
      lines: [
        "das ist ein Test des Mailservers von {community}. Er funktioniert: " +
          "Mitglieder können ihre Adressen bestätigen und Passwörter zurücksetzen.",
      ],
      button: "Zu {community}",
    },
    exportReady: {
      subject: "Deine Daten sind bereit",
      lines: [
        "der Export deiner Daten bei {community} ist fertig. Nur du kannst ihn herunterladen, " +
          "sieben Tage lang.",
        ignoreNote,
      ],
      button: "Daten herunterladen",
    },
    pictureTaken: {
      subject: "Dein Bild wurde entfernt",
      lines: [
        "das Team von {community} hat ein Bild aus deinem Profil (@{username}) entfernt.",
        "Grund: {reason}",
        "Du kannst jederzeit ein anderes Bild hochladen.",
      ],
    },
    approved: {
      subject: "Willkommen bei {community}",
      lines: ["dein Konto @{username} wurde freigegeben. Schön, dass du da bist."],
      button: "Anmelden",
    },
    declined: {
      subject: "Deine Registrierung bei {community}",
      lines: [
        "die Moderation von {community} hat deine Registrierung (@{username}) abgelehnt.",
        "Grund: {reason}",
        "Dein Konto und seine Daten wurden gelöscht. Du kannst dich neu registrieren.",
      ],
    },
    limited: {
      subject: "Dein Konto ist eingeschränkt",
      lines: [
        "die Moderation von {community} hat dein Konto @{username} eingeschränkt: Du kannst lesen " +
          "und nur Personen Nachrichten schreiben, die du kennst.",
        "Grund: {reason}",
        "Die Einschränkung endet automatisch: {until}.",
        "Ein Mensch hat entschieden, kein Programm.",
        "Du kannst einmal Einspruch einlegen, innerhalb von 20 Tagen.",
      ],
      button: "Kontostatus",
    },
    suspended: {
      subject: "Dein Konto ist gesperrt",
      lines: [
        "die Moderation von {community} hat dein Konto @{username} gesperrt: Du kannst dich nicht " +
          "anmelden.",
        "Grund: {reason}",
        "Die Sperre endet automatisch: {until}.",
        "Ein Mensch hat entschieden, kein Programm.",
        "Du kannst einmal Einspruch einlegen, innerhalb von 20 Tagen.",
      ],
      button: "Kontostatus",
    },
    sanctionOver: {
      subject: "Dein Konto ist wieder aktiv",
      lines: ["dein Konto @{username} bei {community} hat keine Einschränkungen mehr.", "Grund: {reason}"],
      button: "Anmelden",
    },
    sanctionStays: {
      subject: "Entscheidung über deinen Einspruch",
      lines: [
        "dein Einspruch zu deinem Konto @{username} bei {community} wurde abgelehnt.",
        "Grund: {reason}",
        "Die Einschränkung oder Sperre endet automatisch: {until}.",
        "Ein Mensch hat entschieden, kein Programm.",
      ],
    },
  },
};
