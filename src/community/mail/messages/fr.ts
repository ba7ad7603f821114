import type { MailMessages } from "./message-types.ts";

export const fr: MailMessages = {
  hello: "Bonjour {name},",
  bot: "le bot {name}",
  sentences: {
    reply: "{names} vous {a|ont} répondu.",
    mention: "{names} vous {a|ont} mentionné.",
    new_reply: "{names} {a|ont} écrit une nouvelle réponse.",
    new_discussion: "{names} {a|ont} lancé une discussion dans {group}.",
    new_event: "{names} {annonce|annoncent} l’événement « {title} » dans {group}.",
    new_date_poll: "{names} {cherche|cherchent} une date pour « {title} » dans {group}.",
    event_date: "{names} {a|ont} choisi la date de « {title} ».",
    event_place: "une place s’est libérée : vous participez à « {title} ».",
    event_tomorrow: "« {title} » commence dans un jour.",
    event_soon: "« {title} » commence dans une heure.",
    bookmark: "voici le rappel que vous avez demandé.",
    new_results: "votre recherche « {title} » a de nouveaux résultats.",
    message: "{names} vous {a|ont} envoyé un message.",
    message_request:
      "{names} vous {a|ont} envoyé une demande de message. Tant que vous ne répondez pas, " +
      "personne n’apprend si vous l’avez lue.",
    comment: "{names} {a|ont} commenté « {title} ».",
    version: "{names} {a|ont} ajouté une nouvelle version de « {title} ».",
    dead_link: "le lien « {title} » est rompu. Connaissez-vous sa nouvelle adresse ?",
    friend_request: "{names} vous {a|ont} envoyé une demande d’ami.",
    friend_accepted: "{names} et vous êtes maintenant amis.",
    group_invitation: "{names} vous {invite|invitent} dans {group}.",
    group_request: "{names} {a|ont} demandé à rejoindre {group}.",
    group_appeal: "une personne exclue de {group} a fait appel.",
    group_archived: "{group} a été archivé. On peut toujours le lire.",
    announcement: "il y a une annonce pour vous.",
    post_removed: "« {title} » : votre message a été retiré par un modérateur.",
    webhook_paused:
      "un webhook a été mis en pause : son destinataire n’acceptait pas les appels, ou vous ne pouvez plus le gérer.",
    account_waits: "une nouvelle inscription attend une approbation.",
    report: "il y a un nouveau signalement à examiner.",
  },
  decisions: {
    joinApproved: "vous êtes maintenant membre de {group}. Bienvenue !",
    declined: "votre demande d’adhésion à {group} a été rejetée.",
    removed: "vous avez été retiré de {group}.",
    banned: "vous avez été exclu de {group}.",
    bannedUntil: "vous avez été exclu de {group} jusqu’au {moment}.",
    banEnded: "vous n’êtes plus exclu de {group}.",
    appealDeclined: "votre appel d’exclusion dans {group} a été rejeté.",
    approved: "votre groupe {group} a été approuvé : d’autres peuvent maintenant le rejoindre.",
    groupRejected:
      "votre groupe {group} a été rejeté. Modifiez-le pour qu’il soit réexaminé, ou supprimez-le.",
    inspected: "un administrateur qui n’est pas membre inspecte {group}.",
    ownerRequestDeclined:
      "les administrateurs ont décidé de ne pas nommer de nouveau propriétaire de {group} pour " +
      "l’instant.",
  },
  changed: {
    post: "{names} {a|ont} modifié votre message dans « {title} ».",
    resource: "{names} {a|ont} modifié votre ressource « {title} ».",
    moved: "{names} {a|ont} déplacé votre ressource « {title} ».",
    back: "« {title} » : votre message est de nouveau visible.",
    discussionBack: "votre discussion « {title} » a été restaurée.",
  },
  eventHosts: {
    added: "{names} vous {a|ont} désigné comme organisateur de « {title} ».",
    left: "une personne n’organise plus « {title} ». Vous l’organisez toujours.",
    alone:
      "« {title} » n’a plus d’organisateur. Vous modérez le groupe : vous pouvez modifier l’événement et ajouter des organisateurs.",
  },
  eventChanges: {
    moved: "« {title} » a une nouvelle date ou un nouveau lieu.",
    repeats: "« {title} » a maintenant lieu plusieurs fois. Votre réponse vaut pour la première date.",
    postponed: "« {title} » est reporté. Sa nouvelle date n’est pas encore connue.",
    cancelled: "« {title} » a été annulé.",
  },
  discussionDeleted: "votre discussion « {title} » a été supprimée par un modérateur.",
  resourceRemoved: "votre ressource « {title} » a été retirée de la bibliothèque par un modérateur.",
  resourceHidden:
    "plusieurs personnes ont signalé votre ressource « {title} ». Elle est masquée jusqu’à ce " +
    "qu’un modérateur l’ait examinée.",
  postHidden:
    "« {title} » : plusieurs personnes ont signalé votre message. Il est masqué jusqu’à ce " +
    "qu’un modérateur l’ait examiné.",
  measures: {
    subject: "Décision de modération",
    warned:
      "« {title} » : un modérateur vous a adressé un avertissement au sujet de votre contenu. " +
      "Celui-ci reste inchangé.",
    warnedOnly: "un modérateur vous a adressé un avertissement.",
    locked: "la discussion « {title} » a été verrouillée par un modérateur.",
    lockedUntil: "la discussion « {title} » a été verrouillée par un modérateur jusqu’au {moment}.",
    slowed: "un modérateur a activé le mode lent dans la discussion « {title} ».",
    slowedUntil: "un modérateur a activé le mode lent dans la discussion « {title} » jusqu’au {moment}.",
    returned:
      "« {title} » : un modérateur vous demande de modifier votre message. Il est masqué " +
      "jusqu’à ce que vous l’ayez modifié et qu’un modérateur l’ait approuvé.",
    resourceReturned:
      "un modérateur vous demande de modifier votre ressource « {title} ». Elle est masquée jusqu’à ce que " +
      "vous l’ayez modifiée et qu’un modérateur l’ait approuvée.",
  },
  firstPosts: {
    profile: "un texte de profil d’un nouveau membre attend votre approbation.",
    profileApproved: "votre nouveau texte de profil a été approuvé.",
    profileReturned:
      "votre nouveau texte de profil vous a été renvoyé. Modifiez-le et envoyez-le de nouveau.",
    resourceInGroup: "une ressource d’un membre dans {group} attend votre approbation.",
    resource: "une ressource pour toute la communauté attend votre approbation.",
    resourceReturned:
      "votre ressource « {title} » vous a été renvoyée. Modifiez-la et envoyez-la de nouveau.",
    inGroup: "un message d’un nouveau membre dans {group} attend votre approbation.",
    under: "un commentaire d’un nouveau membre sur « {title} » attend votre approbation.",
    approved: "« {title} » : votre message a été approuvé.",
    resourceApproved: "votre ressource « {title} » a été approuvée.",
    returned: "« {title} » : votre message vous a été renvoyé. Modifiez-le et envoyez-le de nouveau.",
  },
  groupDeleted: "{group} a été supprimé.",
  waits: {
    approval: "le groupe {group} attend une approbation.",
    owner: "le groupe {group} demande un nouveau propriétaire.",
  },
  opens: {
    public:
      "la visibilité de {group} change : à partir du {moment}, tout le monde pourra le trouver " +
      "et lire les nouveaux messages. Les messages précédents restent réservés aux membres.",
    private:
      "la visibilité de {group} change : à partir du {moment}, tout le monde pourra le trouver. " +
      "Seuls ses membres pourront le lire.",
  },
  reason: "Motif : {words}",
  statement: {
    manual: "Cette décision a été prise par une personne, pas par un programme.",
    appeal: "Vous pouvez faire appel une fois, dans les 20 jours : ouvrez la page ci-dessous.",
  },
  appeals: {
    waits: "il y a un appel d’un retrait à examiner.",
    account: "il y a un appel au sujet d’un compte à examiner.",
    restored: "votre appel a abouti : votre contenu a été restauré.",
    stays: "votre appel a été rejeté : le retrait a été maintenu.",
  },
  cases: {
    assigned: "un dossier vous a été transmis.",
    mentioned: "vous avez été mentionné dans une note d’un dossier.",
  },
  reportEnds: {
    upheld: "votre signalement était justifié. Merci ; nous avons agi en conséquence.",
    rejected: "nous avons examiné votre signalement et n’avons trouvé aucune infraction aux règles.",
  },
  roleIs: "votre rôle dans {group} est maintenant : {role}.",
  roles: { member: "membre", moderator: "modérateur", owner: "propriétaire" },
  subjects: {
    message: "Message de {names}",
    person: "{names}",
    group: "{group}",
    reminder: "Rappel : {title}",
    account: "Inscription en attente d’approbation",
    pending: "Ressource en attente d’approbation",
    webhook: "Un webhook a été mis en pause",
    report: "Nouveau signalement",
    asked: "Décision sur votre appel",
    decision: "Décision sur votre signalement",
  },
  earlier: "… et {n} plus anciens sur le site.",
  buttons: { read: "Lire la suite", answer: "Lire et répondre", look: "Voir" },
  answerByMail: "Répondez à cet e-mail pour publier votre réponse sur le site, sous votre nom.",
  answerLine: "Écrivez au-dessus de cette ligne",
  why: {
    mentioned: "Vous recevez ceci parce que vous avez été mentionné.",
    group_mentioned: "Vous recevez ceci parce que votre groupe a été mentionné.",
    you_wrote: "Vous recevez ceci parce que quelqu’un vous a répondu.",
    you_started: "Vous recevez ceci parce que vous avez lancé la discussion.",
    watching: "Vous recevez ceci parce que vous suivez la discussion.",
    watching_resource: "Vous recevez ceci parce que vous suivez la ressource.",
    group_all: "Vous recevez ceci parce que vous suivez tout dans {group}.",
    participant: "Vous recevez ceci parce que vous participez à la conversation.",
    you_keep: "Vous recevez ceci parce que vous êtes propriétaire de la ressource.",
    member: "Vous recevez ceci parce que vous êtes membre de {group}.",
    everybody: "Tout le monde sur {community} reçoit ceci.",
    you_answered: "Vous recevez ceci parce que vous avez répondu à l’événement.",
    you_host: "Vous recevez ceci parce que vous organisez l’événement.",
    you_set: "Vous recevez ceci parce que vous avez demandé un rappel.",
    you_searched: "Vous recevez ceci parce que vous avez activé les alertes de cette recherche.",
    asked_you: "Vous recevez ceci parce que vous avez reçu une demande.",
    about_you: "Vous recevez ceci parce que cela vous concerne.",
    your_post: "Vous recevez ceci parce que vous l’avez écrit.",
    you_asked: "Vous recevez ceci parce que vous avez envoyé une demande.",
    invited_you: "Vous recevez ceci parce que vous avez été invité.",
    you_lead: "Vous recevez ceci parce que vous modérez {group}.",
    staff: "Vous recevez ceci parce que vous faites partie de l’équipe.",
    you_reported: "Vous recevez ceci parce que vous avez signalé quelque chose.",
  },
  change: "Paramètres de notification",
  stop: "Ne plus recevoir d’e-mails à ce sujet",
  digest: {
    subject: "Non lu sur {community}",
    sentence: "voici les nouveautés de vos groupes.",
    replies: { one: "une réponse", many: "{n} réponses" },
    notThisGroup: "Exclure ce groupe",
    why: "Vous recevez ce résumé aussi souvent que vous l’avez choisi dans vos paramètres.",
    button: "Voir tout ce qui est nouveau",
  },
  refused: {
    subject: "Votre réponse n’a pas été publiée",
    sentence: "votre réponse par e-mail n’a pas pu être publiée :",
    yours: "Vous",
  },
  leftOut: {
    subject: "Une partie de votre e-mail a été omise",
    sentence:
      "votre réponse par e-mail a été publiée. Cette partie se trouvait sous un texte cité et a " +
      "donc été omise. Si elle est de vous, renvoyez-la seule :",
  },
  push: "Vous avez une nouvelle notification.",
  attachments: "(Omis, car envoyé par e-mail : {names})",
};
