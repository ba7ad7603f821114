import type { MailMessages } from "./message-types.ts";

export const de: MailMessages = {
  hello: "Hallo {name},",
  bot: "{name} (Bot)",
  sentences: {
    reply: "{names} {hat|haben} dir geantwortet.",
    mention: "{names} {hat|haben} dich erwähnt.",
    new_reply: "{names} {hat|haben} eine neue Antwort geschrieben.",
    new_discussion: "{names} {hat|haben} in {group} eine Diskussion begonnen.",
    new_event: "{names} {lädt|laden} in {group} zur Veranstaltung „{title}“ ein.",
    new_date_poll: "{names} {sucht|suchen} in {group} einen Termin für „{title}“.",
    event_date: "{names} {hat|haben} den Termin für „{title}“ festgelegt.",
    event_place: "ein Platz ist frei geworden: Du bist bei „{title}“ dabei.",
    event_tomorrow: "„{title}“ beginnt in einem Tag.",
    event_soon: "„{title}“ beginnt in einer Stunde.",
    bookmark: "das ist die Erinnerung, die du eingestellt hast.",
    new_results: "deine Suche „{title}“ hat neue Ergebnisse.",
    message: "{names} {hat|haben} dir eine Nachricht geschickt.",
    message_request:
      "{names} {hat|haben} dir eine Nachrichtenanfrage geschickt. Ob du sie gelesen hast, ist " +
      "erst zu sehen, wenn du antwortest.",
    comment: "{names} {hat|haben} „{title}“ kommentiert.",
    version: "{names} {hat|haben} eine neue Version von „{title}“ hinzugefügt.",
    dead_link: "der Link „{title}“ ist defekt. Kennst du die neue Adresse?",
    friend_request: "{names} {hat|haben} dir eine Freundschaftsanfrage geschickt.",
    friend_accepted: "{names} und du seid jetzt befreundet.",
    group_invitation: "{names} {lädt|laden} dich zu {group} ein.",
    group_request: "{names} {möchte|möchten} {group} beitreten.",
    group_appeal: "jemand, der in {group} gesperrt ist, hat Einspruch eingelegt.",
    group_archived: "{group} wurde archiviert und kann weiterhin gelesen werden.",
    announcement: "es gibt eine Ankündigung für dich.",
    post_removed: "„{title}“: Dein Beitrag dort wurde von der Moderation entfernt.",
    webhook_paused:
      "ein Webhook wurde angehalten: Der Empfänger hat die Aufrufe nicht angenommen, oder " +
      "du darfst ihn nicht mehr verwalten.",
    account_waits: "eine neue Registrierung wartet auf Freigabe.",
    report: "es gibt eine neue Meldung, die du prüfen kannst.",
  },
  decisions: {
    joinApproved: "du bist jetzt Mitglied von {group}. Willkommen!",
    declined: "deine Beitrittsanfrage an {group} wurde abgelehnt.",
    removed: "du wurdest aus {group} entfernt.",
    banned: "du wurdest in {group} gesperrt.",
    bannedUntil: "du wurdest in {group} bis {moment} gesperrt.",
    banEnded: "du bist in {group} nicht mehr gesperrt.",
    appealDeclined: "dein Einspruch gegen die Sperre in {group} wurde abgelehnt.",
    approved: "deine Gruppe {group} wurde freigegeben: Jetzt können andere beitreten.",
    groupRejected:
      "deine Gruppe {group} wurde abgelehnt. Bearbeite sie, damit sie noch einmal geprüft wird, " +
      "oder lösche sie.",
    ownerRequestDeclined:
      "die Administration hat entschieden, für {group} vorerst keine neuen Verantwortlichen zu " +
      "ernennen.",
    inspected: "jemand aus der Administration sieht {group} ein, ohne Mitglied zu sein.",
  },
  changed: {
    post: "{names} {hat|haben} deinen Beitrag in „{title}“ bearbeitet.",
    resource: "{names} {hat|haben} deine Ressource „{title}“ bearbeitet.",
    moved: "{names} {hat|haben} deine Ressource „{title}“ verschoben.",
    back: "„{title}“: Dein Beitrag dort ist wieder sichtbar.",
    discussionBack: "deine Diskussion „{title}“ wurde wiederhergestellt.",
  },
  eventHosts: {
    added: "{names} {hat|haben} dich zum Gastgeber von „{title}“ gemacht.",
    left: "ein Gastgeber von „{title}“ ist nicht mehr dabei. Du bist weiterhin Gastgeber.",
    alone:
      "„{title}“ hat keinen Gastgeber mehr. Als Moderator kannst du die Veranstaltung bearbeiten und Gastgeber hinzufügen.",
  },
  eventChanges: {
    moved: "„{title}“ hat eine neue Zeit oder einen neuen Ort.",
    repeats: "„{title}“ findet jetzt mehrmals statt. Deine Antwort gilt für den ersten Termin.",
    postponed: "„{title}“ ist verschoben. Der neue Termin steht noch nicht fest.",
    cancelled: "„{title}“ wurde abgesagt.",
  },
  discussionDeleted: "deine Diskussion „{title}“ wurde von der Moderation gelöscht.",
  resourceRemoved: "deine Ressource „{title}“ wurde von der Moderation aus der Bibliothek entfernt.",
  resourceHidden:
    "mehrere Personen haben deine Ressource „{title}“ gemeldet. Sie ist verborgen, bis " +
    "die Moderation sie geprüft hat.",
  postHidden:
    "„{title}“: Mehrere Personen haben deinen Beitrag dort gemeldet. Er ist verborgen, bis " +
    "die Moderation ihn geprüft hat.",
  measures: {
    subject: "Entscheidung der Moderation",
    warned: "„{title}“: Die Moderation hat dich wegen deines Inhalts dort verwarnt. Er bleibt unverändert.",
    warnedOnly: "die Moderation hat dich verwarnt.",
    locked: "die Diskussion „{title}“ wurde von der Moderation gesperrt.",
    lockedUntil: "die Diskussion „{title}“ wurde von der Moderation bis {moment} gesperrt.",
    slowed: "die Moderation hat in der Diskussion „{title}“ den langsamen Modus eingeschaltet.",
    slowedUntil:
      "die Moderation hat in der Diskussion „{title}“ bis {moment} den langsamen Modus eingeschaltet.",
    returned:
      "„{title}“: Die Moderation bittet dich, deinen Beitrag dort zu ändern. Er ist verborgen, " +
      "bis du ihn bearbeitet hast und die Moderation ihn freigegeben hat.",
    resourceReturned:
      "die Moderation bittet dich, deine Ressource „{title}“ zu ändern. Sie ist verborgen, bis du sie " +
      "bearbeitet hast und die Moderation sie freigegeben hat.",
  },
  firstPosts: {
    profile: "ein Profiltext eines neuen Mitglieds wartet auf deine Freigabe.",
    profileApproved: "dein neuer Profiltext wurde freigegeben.",
    profileReturned:
      "dein neuer Profiltext wurde an dich zurückgegeben. Bearbeite ihn und sende ihn noch einmal.",
    resourceInGroup: "eine Ressource eines Mitglieds in {group} wartet auf deine Freigabe.",
    resource: "eine Ressource für die ganze Community wartet auf deine Freigabe.",
    resourceReturned:
      "deine Ressource „{title}“ wurde an dich zurückgegeben. Bearbeite sie und sende sie noch einmal.",
    inGroup: "ein Beitrag eines neuen Mitglieds in {group} wartet auf deine Freigabe.",
    under: "ein Kommentar eines neuen Mitglieds zu „{title}“ wartet auf deine Freigabe.",
    approved: "„{title}“: Dein Beitrag wurde freigegeben.",
    resourceApproved: "deine Ressource „{title}“ wurde freigegeben.",
    returned: "„{title}“: Dein Beitrag wurde an dich zurückgegeben. Bearbeite ihn und sende ihn noch einmal.",
  },
  groupDeleted: "{group} wurde gelöscht.",
  waits: {
    approval: "die Gruppe {group} wartet auf Freigabe.",
    owner: "die Gruppe {group} bittet um neue Verantwortliche.",
  },
  opens: {
    public:
      "die Sichtbarkeit von {group} ändert sich: Ab {moment} können alle die Gruppe finden und " +
      "neue Beiträge lesen. Frühere Beiträge sehen nur die Mitglieder.",
    private:
      "die Sichtbarkeit von {group} ändert sich: Ab {moment} können alle die Gruppe finden. " +
      "Lesen können sie nur die Mitglieder.",
  },
  reason: "Grund: {words}",
  statement: {
    manual: "Ein Mensch hat entschieden, kein Programm.",
    appeal: "Du kannst einmal Einspruch einlegen, innerhalb von 20 Tagen: Öffne dazu die Seite unten.",
  },
  appeals: {
    waits: "es gibt einen Einspruch gegen eine Entfernung, den du prüfen kannst.",
    account: "es gibt einen Einspruch zu einem Konto, den du prüfen kannst.",
    restored: "dein Einspruch war erfolgreich: Dein Inhalt wurde wiederhergestellt.",
    stays: "dein Einspruch wurde abgelehnt: Die Entfernung wurde bestätigt.",
  },
  cases: {
    assigned: "dir wurde ein Fall übergeben.",
    mentioned: "du wurdest in einer Notiz zu einem Fall erwähnt.",
  },
  reportEnds: {
    upheld: "deine Meldung war berechtigt. Danke; wir haben gehandelt.",
    rejected: "wir haben deine Meldung geprüft und keinen Regelverstoß gefunden.",
  },
  roleIs: "deine Rolle in {group} ist jetzt: {role}.",
  roles: { member: "Mitglied", moderator: "Moderation", owner: "Verantwortlich" },
  subjects: {
    message: "Nachricht von {names}",
    person: "{names}",
    group: "{group}",
    reminder: "Erinnerung: {title}",
    account: "Registrierung wartet auf Freigabe",
    pending: "Ressource wartet auf Freigabe",
    webhook: "Ein Webhook wurde angehalten",
    report: "Neue Meldung",
    asked: "Entscheidung über deinen Einspruch",
    decision: "Entscheidung über deine Meldung",
  },
  earlier: "… und {n} frühere auf der Website.",
  buttons: { read: "Weiterlesen", answer: "Lesen und antworten", look: "Ansehen" },
  answerByMail:
    "Antworte auf diese E-Mail, um deine Antwort auf der Website unter deinem Namen zu veröffentlichen.",
  answerLine: "Bitte oberhalb dieser Zeile antworten",
  why: {
    mentioned: "Du bekommst das, weil du erwähnt wurdest.",
    group_mentioned: "Du bekommst das, weil deine Gruppe erwähnt wurde.",
    you_wrote: "Du bekommst das, weil dir jemand geantwortet hat.",
    you_started: "Du bekommst das, weil du die Diskussion begonnen hast.",
    watching: "Du bekommst das, weil du die Diskussion beobachtest.",
    watching_resource: "Du bekommst das, weil du die Ressource beobachtest.",
    group_all: "Du bekommst das, weil du in {group} allem folgst.",
    participant: "Du bekommst das, weil du an der Unterhaltung teilnimmst.",
    you_keep: "Du bekommst das, weil dir die Ressource gehört.",
    member: "Du bekommst das, weil du Mitglied von {group} bist.",
    everybody: "Alle bei {community} bekommen das.",
    you_answered: "Du bekommst das, weil du auf die Veranstaltung geantwortet hast.",
    you_host: "Du bekommst das, weil du Gastgeber der Veranstaltung bist.",
    you_set: "Du bekommst das, weil du dir eine Erinnerung gesetzt hast.",
    you_searched: "Du bekommst das, weil du Benachrichtigungen für diese Suche eingeschaltet hast.",
    asked_you: "Du bekommst das, weil du eine Anfrage erhalten hast.",
    about_you: "Du bekommst das, weil es um dich geht.",
    your_post: "Du bekommst das, weil du es geschrieben hast.",
    you_asked: "Du bekommst das, weil du eine Anfrage gesendet hast.",
    invited_you: "Du bekommst das, weil du eingeladen wurdest.",
    you_lead: "Du bekommst das, weil du {group} moderierst.",
    staff: "Du bekommst das, weil du zum Team gehörst.",
    you_reported: "Du bekommst das, weil du etwas gemeldet hast.",
  },
  change: "Benachrichtigungseinstellungen",
  stop: "Keine E-Mails mehr dazu",
  digest: {
    subject: "Ungelesenes in {community}",
    sentence: "das ist neu in deinen Gruppen.",
    replies: { one: "eine Antwort", many: "{n} Antworten" },
    notThisGroup: "Diese Gruppe weglassen",
    why: "Du bekommst diese Zusammenfassung so oft, wie du es in deinen Einstellungen gewählt hast.",
    button: "Alles Neue ansehen",
  },
  refused: {
    subject: "Deine Antwort wurde nicht veröffentlicht",
    sentence: "deine Antwort per E-Mail konnte nicht veröffentlicht werden:",
    yours: "Du",
  },
  leftOut: {
    subject: "Ein Teil deiner E-Mail wurde weggelassen",
    sentence:
      "deine Antwort per E-Mail wurde veröffentlicht. Dieser Teil stand unter einem Zitat und " +
      "wurde deshalb weggelassen. Wenn er von dir ist, sende ihn noch einmal einzeln:",
  },
  push: "Du hast eine neue Benachrichtigung.",
  attachments: "(Weggelassen, da per E-Mail gesendet: {names})",
};
