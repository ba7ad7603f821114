import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "Falls du das nicht warst, setze jetzt ein neues Passwort: damit enden alle Sitzungen.";
const ignoreNote = "Falls du das nicht angefordert hast, musst du nichts tun.";

export const german: AccountEmailTexts = {
  hello: "Hallo {name},",
  why: "Du bekommst das, weil du ein Konto bei {community} hast oder jemand dort diese Adresse angegeben hat.",
  letters: {
    confirm: {
      subject: "Bestätige deine Adresse für {community}",
      lines: [
        "willkommen bei {community}! Bitte bestätige, dass dies deine Adresse ist. Dein Name dort ist " +
          "@{username}. Der Link gilt einmal und 48 Stunden lang.",
        "Falls du dich nicht registriert hast, folge ihm bitte nicht.",
      ],
      button: "Adresse bestätigen",
    },
    confirmForApproval: {
      subject: "Bestätige deine Adresse für {community}",
      lines: [
        "du möchtest {community} als @{username} beitreten. Bitte bestätige, dass dies deine Adresse ist; " +
          "danach prüft die Moderation deine Registrierung und schreibt dir das Ergebnis. Der Link gilt " +
          "einmal und 48 Stunden lang.",
        "Falls du dich nicht registriert hast, folge ihm bitte nicht.",
      ],
      button: "Adresse bestätigen",
    },
    alreadyHere: {
      subject: "Du hast schon ein Konto",
      lines: [
        "jemand, vermutlich du, wollte sich mit dieser Adresse bei {community} registrieren. Du hast " +
          "schon ein Konto: @{username}.",
        "Falls du dein Passwort vergessen hast, kannst du ein neues setzen.",
      ],
      button: "Neues Passwort setzen",
    },
    connectProvider: {
      subject: "{provider} mit deinem Konto verbinden",
      lines: [
        "jemand, vermutlich du, wollte sich mit {provider} und dieser Adresse bei {community} " +
          "anmelden. Du hast schon ein Konto: @{username}.",
        "Falls du es warst: Melde dich wie gewohnt an und verbinde {provider} in deinen Einstellungen. " +
          "Danach kannst du dich damit anmelden. Falls nicht, musst du nichts tun.",
      ],
      button: "{provider} verbinden",
    },
    resetPassword: {
      subject: "Neues Passwort setzen",
      lines: [
        "hier kannst du ein neues Passwort für @{username} setzen. Der Link gilt einmal und eine Stunde lang.",
        ignoreNote,
      ],
      button: "Neues Passwort setzen",
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
      subject: "Deine Adresse soll sich ändern",
      lines: [
        "die Adresse von @{username} soll künftig {email} sein. Sie gilt, sobald sie dort bestätigt ist.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    addressChanged: {
      subject: "Deine Adresse hat sich geändert",
      lines: [
        "die Adresse von @{username} ist jetzt {email}. An diese hier schreiben wir nicht mehr.",
        "Falls du das nicht warst, schreibe bitte denen, die sich um {community} kümmern.",
      ],
    },
    passwordChanged: {
      subject: "Dein Passwort hat sich geändert",
      lines: [
        "das Passwort von @{username} wurde geändert ({when}). Alle anderen Sitzungen sind beendet.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    newDevice: {
      subject: "Eine neue Anmeldung",
      lines: [
        "jemand hat sich als @{username} mit einem Browser angemeldet, den wir nicht kannten: {device}, {when}.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    secondStepOn: {
      subject: "Anmelden geht jetzt in zwei Schritten",
      lines: [
        "ab jetzt fragt die Anmeldung als @{username} mit einem Passwort nach einem zweiten Schritt: " +
          "einem Code deiner App oder einem Passkey. Bewahre deine Ersatzcodes gut auf.",
        notYouNote,
      ],
      button: "Das war ich nicht",
    },
    secondStepOff: {
      subject: "Der zweite Schritt ist abgeschaltet",
      lines: ["die Anmeldung als @{username} fragt nicht mehr nach einem zweiten Schritt.", notYouNote],
      button: "Das war ich nicht",
    },
    passkeyAdded: {
      subject: "Ein Passkey ist dazugekommen",
      lines: [
        "ab jetzt meldet der Passkey „{device}“ als @{username} an ({when}).",
        "Falls du das nicht warst, entferne ihn jetzt in deinen Einstellungen und setze ein neues Passwort.",
      ],
      button: "Deine Passkeys ansehen",
    },
    passkeyRemoved: {
      subject: "Ein Passkey wurde entfernt",
      lines: [
        "der Passkey „{device}“ meldet nicht mehr als @{username} an ({when}).",
        "Falls du das nicht warst, sieh dir jetzt in deinen Einstellungen deine Passkeys an und setze " +
          "ein neues Passwort.",
      ],
      button: "Deine Passkeys ansehen",
    },
    tokenCreated: {
      subject: "Ein Zugriffstoken wurde erstellt",
      lines: [
        "ab jetzt handeln Programme mit dem Zugriffstoken „{device}“ innerhalb seiner " +
          "Berechtigungen als @{username} ({when}).",
        "Falls du das nicht warst, widerrufe es jetzt in deinen Einstellungen und setze ein neues Passwort.",
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
        "alles, was bei {community} von dir ist, liegt bereit. Du kannst es sieben Tage lang holen; sonst niemand.",
        ignoreNote,
      ],
      button: "Holen",
    },
    pictureTaken: {
      subject: "Ein Bild von dir wurde entfernt",
      lines: [
        "wer {community} betreibt, hat ein Bild aus deinem Profil (@{username}) entfernt.",
        "Die Begründung: {reason}",
        "Du kannst jederzeit ein anderes einsetzen.",
      ],
    },
    approved: {
      subject: "Willkommen bei {community}",
      lines: ["dein Konto @{username} ist freigeschaltet. Schön, dass du da bist."],
      button: "Anmelden",
    },
    declined: {
      subject: "Deine Registrierung bei {community}",
      lines: [
        "wer {community} betreut, hat deine Registrierung (@{username}) gelesen und entschieden, dich " +
          "nicht aufzunehmen.",
        "Die Begründung: {reason}",
        "Dein Konto ist gelöscht, mit allem, was du dafür angegeben hast. Du kannst dich jederzeit neu registrieren.",
      ],
    },
    limited: {
      subject: "Dein Konto ist eingeschränkt",
      lines: [
        "wer {community} betreut, hat dein Konto @{username} eingeschränkt: Bis auf Weiteres kannst du " +
          "lesen und nur noch Nachrichten an Leute schreiben, die du hier kennst.",
        "Die Begründung: {reason}",
        "Das endet von selbst: {until}.",
        "Du kannst zwanzig Tage lang einmal darum bitten, dass jemand anderes es sich ansieht.",
      ],
      button: "Wie es um dein Konto steht",
    },
    suspended: {
      subject: "Dein Konto ist gesperrt",
      lines: [
        "wer {community} betreut, hat dein Konto @{username} gesperrt: Bis auf Weiteres kannst du dich nicht anmelden.",
        "Die Begründung: {reason}",
        "Das endet von selbst: {until}.",
        "Du kannst zwanzig Tage lang einmal darum bitten, dass jemand anderes es sich ansieht.",
      ],
      button: "Wie es um dein Konto steht",
    },
    sanctionOver: {
      subject: "Dein Konto ist wieder frei",
      lines: [
        "gegen dein Konto @{username} bei {community} liegt nichts mehr vor: Du kannst lesen und schreiben wie zuvor.",
        "Die Begründung: {reason}",
      ],
      button: "Anmelden",
    },
    sanctionStays: {
      subject: "Dein Konto: Es bleibt, wie es entschieden wurde",
      lines: [
        "du hast darum gebeten, dass noch einmal angesehen wird, was über dein Konto @{username} bei " +
          "{community} entschieden wurde. Es bleibt dabei.",
        "Die Begründung: {reason}",
        "Das endet von selbst: {until}.",
      ],
    },
  },
};
