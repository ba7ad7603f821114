import type { MailMessages } from "./message-types.ts";

export const de: MailMessages = {
  hello: "Hallo {name},",
  sentences: {
    reply: "{names} {hat|haben} dir geantwortet.",
    mention: "{names} {hat|haben} dich erwähnt.",
    new_reply: "{names} {hat|haben} etwas Neues geschrieben.",
    new_discussion: "{names} {hat|haben} in {group} eine Diskussion begonnen.",
    new_event: "{names} {lädt|laden} in {group} zur Veranstaltung „{title}“ ein.",
    new_date_poll: "{names} {sucht|suchen} in {group} einen Termin für „{title}“.",
    event_date: "{names} {hat|haben} den Termin für „{title}“ festgelegt.",
    event_place: "ein Platz ist frei geworden: Du bist bei „{title}“ dabei.",
    event_tomorrow: "„{title}“ beginnt in einem Tag.",
    event_soon: "„{title}“ beginnt in einer Stunde.",
    bookmark: "daran wolltest du erinnert werden.",
    new_results: "zu deiner Suche „{title}“ gibt es Neues.",
    message: "{names} {hat|haben} dir geschrieben.",
    message_request:
      "{names} {möchte|möchten} sich mit dir schreiben. Ob du antwortest, entscheidest du; bis dahin " +
      "erfährt die andere Seite nichts.",
    comment: "{names} {hat|haben} unter „{title}“ geschrieben.",
    version: "{names} {hat|haben} eine neue Fassung von „{title}“ gemacht.",
    dead_link: "der Link „{title}“ führt nirgendwohin mehr. Vielleicht kennst du die neue Adresse.",
    friend_request: "{names} {möchte|möchten} mit dir befreundet sein.",
    friend_accepted: "{names} und du seid jetzt befreundet.",
    group_invitation: "{names} {lädt|laden} dich zu {group} ein.",
    group_request: "{names} {möchte|möchten} bei {group} mitmachen.",
    group_appeal: "jemand, der in {group} ausgesperrt ist, bittet darum, zurückkommen zu dürfen.",
    group_archived: "{group} wurde archiviert. Lesen kann man dort weiterhin.",
    announcement: "es gibt eine Ankündigung für dich.",
    post_removed:
      "„{title}“: Etwas, das du dort geschrieben hast, wurde von denen entfernt, die sich darum kümmern.",
    webhook_paused:
      "ein Webhook wurde angehalten: Der Empfänger hat die Aufrufe nicht angenommen, oder " +
      "du darfst ihn nicht mehr verwalten.",
    account_waits: "jemand hat sich registriert und wartet darauf, eingelassen zu werden.",
    report: "jemand hat etwas gemeldet und bittet dich, es anzusehen.",
  },
  decisions: {
    joinApproved: "du gehörst jetzt zu {group}. Willkommen!",
    declined: "{group} hat dich diesmal nicht aufgenommen.",
    removed: "du wurdest aus {group} herausgenommen.",
    banned: "du kannst in {group} nicht mehr mitmachen.",
    bannedUntil: "du kannst in {group} bis {moment} nicht mitmachen.",
    banEnded: "du bist in {group} nicht mehr ausgesperrt.",
    appealDeclined:
      "du hast darum gebeten, wieder zu {group} zu dürfen. Es bleibt, wie es entschieden wurde.",
    approved: "deine Gruppe {group} wurde zugelassen: Jetzt können andere dazukommen.",
    groupRejected:
      "deine Gruppe {group} wurde nicht zugelassen. Ändere sie, dann wird sie noch einmal angesehen, oder lösche sie.",
    ownerRequestDeclined:
      "{group} bekommt vorerst keine neuen Verantwortlichen: So haben die entschieden, die sich um diesen Ort kümmern.",
    inspected: "jemand aus der Verwaltung sieht sich {group} an, ohne dort Mitglied zu sein.",
  },
  changed: {
    post: "{names} {hat|haben} geändert, was du in „{title}“ geschrieben hast.",
    resource: "{names} {hat|haben} „{title}“ geändert, das du verwahrst.",
    moved: "{names} {hat|haben} „{title}“, das du verwahrst, an einen anderen Ort gebracht.",
    back: "„{title}“: Etwas, das du dort geschrieben hast, steht wieder da.",
    discussionBack: "deine Diskussion „{title}“ ist wieder da.",
  },
  eventChanges: {
    moved: "„{title}“ hat eine neue Zeit oder einen neuen Ort.",
    postponed: "„{title}“ ist verschoben. Der neue Termin steht noch nicht fest.",
    cancelled: "„{title}“ wurde abgesagt.",
  },
  discussionDeleted:
    "deine Diskussion „{title}“ wurde von denen gelöscht, die sich um die Gruppe kümmern. Du kannst " +
    "darum bitten, dass sie zurückkommt.",
  resourceRemoved:
    "„{title}“, das du verwahrst, wurde von denen aus der Bibliothek genommen, die sich um sie kümmern.",
  postHidden:
    "„{title}“: Mehrere haben etwas gemeldet, das du dort geschrieben hast. Es ist verborgen, bis es " +
    "sich jemand angesehen hat.",
  firstPosts: {
    inGroup: "jemand, der neu hier ist, hat in {group} geschrieben. Es wartet, bis du es dir angesehen hast.",
    under:
      "jemand, der neu hier ist, hat unter „{title}“ geschrieben. Es wartet, bis du es dir angesehen hast.",
    approved: "„{title}“: Was du geschrieben hast, wurde angesehen und steht jetzt dort.",
    returned: "„{title}“: Was du geschrieben hast, kam zu dir zurück. Ändere es und schick es noch einmal.",
  },
  groupDeleted: "{group} wurde gelöscht.",
  waits: {
    approval: "die Gruppe {group} wartet auf ihre Zulassung.",
    owner: "die Gruppe {group} bittet um Verantwortliche.",
  },
  opens: {
    public:
      "{group} öffnet sich: Ab {moment} können alle die Gruppe finden und lesen, was dann geschrieben " +
      "wird. Was bis dahin geschrieben wurde, bleibt bei den Mitgliedern.",
    private:
      "{group} öffnet sich: Ab {moment} können alle die Gruppe finden. Lesen können sie weiterhin nur die Mitglieder.",
  },
  reason: "Der Grund, der genannt wurde: {words}",
  appeals: {
    waits: "jemand bittet darum, dass zurückkommt, was entfernt wurde. Bitte sieh es dir an.",
    account:
      "jemand bittet darum, dass noch einmal angesehen wird, was über das eigene Konto entschieden " +
      "wurde. Bitte sieh es dir an.",
    restored: "was entfernt wurde und worum du gebeten hast, ist wieder da.",
    stays: "du hast gebeten, dass zurückkommt, was entfernt wurde. Es bleibt entfernt.",
  },
  cases: {
    assigned: "dir wurde ein Fall übergeben.",
    mentioned: "du wurdest in einer Notiz zu einem Fall erwähnt.",
  },
  reportEnds: {
    upheld: "es war richtig, das zu melden. Danke für den Hinweis; wir haben uns darum gekümmert.",
    rejected: "wir haben uns angesehen, was du gemeldet hast, und nichts gefunden, was gegen die Regeln ist.",
  },
  roleIs: "in {group} bist du jetzt: {role}.",
  roles: { member: "Mitglied", moderator: "Moderation", owner: "Leitung" },
  subjects: {
    message: "Nachricht von {names}",
    person: "{names}",
    group: "{group}",
    reminder: "Erinnerung: {title}",
    account: "Ein Konto wartet",
    webhook: "Ein Webhook wurde angehalten",
    report: "Eine Meldung wartet",
    asked: "Was aus deiner Bitte geworden ist",
    decision: "Was aus deiner Meldung wurde",
  },
  earlier: "… und {n} davor, die du dort findest.",
  buttons: { read: "Weiterlesen", answer: "Lesen und antworten", look: "Ansehen" },
  answerByMail: "Wenn du auf diese Mail antwortest, steht deine Antwort dort, unter deinem Namen.",
  answerLine: "Bitte oberhalb dieser Zeile antworten",
  why: {
    mentioned: "Du bekommst das, weil du namentlich erwähnt wurdest.",
    group_mentioned: "Du bekommst das, weil deine Gruppe erwähnt wurde.",
    you_wrote: "Du bekommst das, weil jemand auf deinen Beitrag geantwortet hat.",
    you_started: "Du bekommst das, weil du die Diskussion begonnen hast.",
    watching: "Du bekommst das, weil du die Diskussion beobachtest.",
    watching_resource: "Du bekommst das, weil du das Fundstück beobachtest.",
    group_all: "Du bekommst das, weil du von {group} alles hören möchtest.",
    participant: "Du bekommst das, weil du an der Unterhaltung teilnimmst.",
    you_keep: "Du bekommst das, weil du dich um dieses Stück der Bibliothek kümmerst.",
    member: "Du bekommst das, weil du zu {group} gehörst.",
    everybody: "Alle bei {community} bekommen das.",
    you_answered: "Du bekommst das, weil du auf die Veranstaltung geantwortet hast.",
    you_set: "Du bekommst das, weil du dir eine Erinnerung gesetzt hast.",
    you_searched: "Du bekommst das, weil du diese Suche aufhebst und von Neuem hören möchtest.",
    asked_you: "Du bekommst das, weil du gefragt wurdest.",
    about_you: "Du bekommst das, weil es um dich geht.",
    your_post: "Du bekommst das, weil du es geschrieben hast.",
    you_asked: "Du bekommst das, weil du gefragt hast.",
    invited_you: "Du bekommst das, weil du eingeladen wurdest.",
    you_lead: "Du bekommst das, weil du dich um {group} kümmerst.",
    staff: "Du bekommst das, weil du dich um diesen Ort kümmerst.",
    you_reported: "Du bekommst das, weil du etwas gemeldet hast.",
  },
  change: "Auswählen, was du bekommst",
  stop: "Keine Mail mehr darüber",
  digest: {
    subject: "Was du bei {community} nicht gelesen hast",
    sentence: "das geschah in deinen Gruppen, während du nicht hingesehen hast.",
    replies: { one: "eine Antwort", many: "{n} Antworten" },
    notThisGroup: "Diese Gruppe weglassen",
    why: "Du bekommst diese Zusammenfassung so oft, wie du es in deinen Einstellungen gewählt hast.",
    button: "Alles Neue ansehen",
  },
  refused: {
    subject: "Deine Antwort ist nicht angekommen",
    sentence: "deine Antwort per Mail konnte nicht dorthin gestellt werden, wo sie stehen sollte:",
    yours: "Du",
  },
  leftOut: {
    subject: "Ein Teil deiner Mail fehlt",
    sentence:
      "deine Antwort per Mail wurde veröffentlicht. Dieser Teil stand unter einem Zitat, wurde dafür " +
      "gehalten und weggelassen. Wenn er von dir ist, sende ihn noch einmal für sich:",
  },
  push: "Es gibt etwas Neues für dich.",
  attachments: "(Weggelassen, da es per Mail kam: {names})",
};
