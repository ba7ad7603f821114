import type { MailMessages } from "./message-types.ts";

export const fr: MailMessages = {
  hello: "Bonjour {name},",
  sentences: {
    reply: "{names} vous {a|ont} répondu.",
    mention: "{names} vous {a|ont} mentionné.",
    new_reply: "{names} {a|ont} écrit du nouveau.",
    new_discussion: "{names} {a|ont} ouvert une discussion dans {group}.",
    new_event: "{names} {annonce|annoncent} l’événement « {title} » dans {group}.",
    new_date_poll: "{names} {cherche|cherchent} une date pour « {title} » dans {group}.",
    event_date: "{names} {a|ont} choisi la date de « {title} ».",
    event_place: "une place s’est libérée : vous participez à « {title} ».",
    event_tomorrow: "« {title} » commence dans un jour.",
    event_soon: "« {title} » commence dans une heure.",
    bookmark: "vous vouliez que l’on vous rappelle ceci.",
    new_results: "il y a du nouveau dans votre recherche « {title} ».",
    message: "{names} vous {a|ont} écrit.",
    message_request:
      "{names} {aimerait|aimeraient} vous écrire. C’est à vous de décider si vous répondez ; d’ici là, " +
      "l’autre n’apprend rien.",
    comment: "{names} {a|ont} écrit sous « {title} ».",
    version: "{names} {a|ont} fait une nouvelle version de « {title} ».",
    dead_link: "le lien « {title} » ne mène plus nulle part. Peut-être connaissez-vous sa nouvelle adresse.",
    friend_request: "{names} {aimerait|aimeraient} faire partie de vos amis.",
    friend_accepted: "{names} et vous êtes maintenant amis.",
    group_invitation: "{names} vous {invite|invitent} dans {group}.",
    group_request: "{names} {aimerait|aimeraient} rejoindre {group}.",
    group_appeal: "une personne exclue de {group} demande à revenir.",
    group_archived: "{group} a été archivé. On peut toujours le lire.",
    announcement: "il y a une annonce pour vous.",
    post_removed:
      "« {title} » : un texte que vous y aviez écrit a été retiré par celles et ceux qui s’en occupent.",
    webhook_paused:
      "un webhook a été mis en pause : son destinataire n’acceptait pas les appels, ou vous ne pouvez plus le gérer.",
    account_waits: "quelqu’un s’est inscrit et attend d’être accepté.",
    report: "quelqu’un a signalé quelque chose et vous demande de le regarder.",
  },
  decisions: {
    joinApproved: "vous faites maintenant partie de {group}. Bienvenue !",
    declined: "{group} ne vous a pas accueilli cette fois-ci.",
    removed: "on vous a retiré de {group}.",
    banned: "vous ne pouvez plus participer à {group}.",
    bannedUntil: "vous ne pouvez pas participer à {group} jusqu’au {moment}.",
    banEnded: "vous n’êtes plus exclu de {group}.",
    appealDeclined: "vous avez demandé à revenir dans {group}. La décision reste la même.",
    approved: "votre groupe {group} a été accepté : d’autres peuvent maintenant vous y rejoindre.",
    groupRejected: "votre groupe {group} n’a pas été accepté. Modifiez-le et il sera revu, ou supprimez-le.",
    inspected: "une personne qui administre ce lieu consulte {group}, dont elle n’est pas membre.",
    ownerRequestDeclined:
      "{group} n’aura pas de nouvelle personne responsable pour l’instant : ainsi en ont décidé celles " +
      "et ceux qui veillent sur ce lieu.",
  },
  changed: {
    post: "{names} {a|ont} modifié ce que vous avez écrit dans « {title} ».",
    resource: "{names} {a|ont} modifié « {title} », que vous gardez.",
    moved: "{names} {a|ont} déplacé « {title} », que vous gardez.",
    back: "« {title} » : un texte que vous y aviez écrit est de nouveau là.",
    discussionBack: "votre discussion « {title} » est de retour.",
  },
  eventChanges: {
    moved: "« {title} » a une nouvelle date ou un nouveau lieu.",
    postponed: "« {title} » est reporté. Sa nouvelle date n’est pas encore connue.",
    cancelled: "« {title} » a été annulé.",
  },
  discussionDeleted:
    "votre discussion « {title} » a été supprimée par celles et ceux qui s’occupent du groupe. Vous " +
    "pouvez demander qu’elle revienne.",
  resourceRemoved:
    "« {title} », que vous gardez, a été retiré de la bibliothèque par celles et ceux qui s’en occupent.",
  postHidden:
    "« {title} » : plusieurs personnes ont signalé un texte que vous y aviez écrit. Il est masqué " +
    "jusqu’à ce que quelqu’un l’ait regardé.",
  firstPosts: {
    inGroup: "une personne nouvelle ici a écrit dans {group}. Son texte attend que vous l’ayez regardé.",
    under: "une personne nouvelle ici a écrit sous « {title} ». Son texte attend que vous l’ayez regardé.",
    approved: "« {title} » : ce que vous avez écrit a été regardé, et s’y trouve maintenant.",
    returned: "« {title} » : ce que vous avez écrit vous a été rendu. Modifiez-le et envoyez-le de nouveau.",
  },
  groupDeleted: "{group} a été supprimé.",
  waits: {
    approval: "le groupe {group} attend d’être accepté.",
    owner: "le groupe {group} demande une personne responsable.",
  },
  opens: {
    public:
      "{group} s’ouvre : à partir du {moment}, tout le monde pourra le trouver et lire ce qui y sera " +
      "écrit. Ce qui aura été écrit jusque-là reste entre membres.",
    private:
      "{group} s’ouvre : à partir du {moment}, tout le monde pourra le trouver. Seuls ses membres " +
      "continueront à le lire.",
  },
  reason: "La raison donnée : {words}",
  appeals: {
    waits: "quelqu’un demande que revienne ce qui a été retiré. Merci de le regarder.",
    account:
      "quelqu’un demande que soit réexaminé ce qui a été décidé au sujet de son compte. Merci de le regarder.",
    restored: "ce qui avait été retiré, et que vous avez demandé, est de retour.",
    stays: "vous avez demandé que ce qui a été retiré revienne. Cela reste retiré.",
  },
  cases: {
    assigned: "un dossier vous a été transmis.",
    mentioned: "vous avez été mentionné dans une note d’un dossier.",
  },
  reportEnds: {
    upheld: "vous avez eu raison de le signaler. Merci de nous l’avoir dit ; nous nous en sommes occupés.",
    rejected: "nous avons regardé ce que vous avez signalé et n’y avons rien trouvé de contraire aux règles.",
  },
  roleIs: "dans {group}, vous êtes maintenant : {role}.",
  roles: { member: "membre", moderator: "modération", owner: "responsable" },
  subjects: {
    message: "Message de {names}",
    person: "{names}",
    group: "{group}",
    reminder: "Rappel : {title}",
    account: "Un compte attend",
    webhook: "Un webhook a été mis en pause",
    report: "Un signalement attend",
    asked: "Ce qu’il est advenu de votre demande",
    decision: "Ce qu’il est advenu de votre signalement",
  },
  earlier: "… et {n} auparavant, que vous trouverez là-bas.",
  buttons: { read: "Lire la suite", answer: "Lire et répondre", look: "Voir" },
  answerByMail: "Si vous répondez à ce courriel, votre réponse y figurera, sous votre nom.",
  answerLine: "Écrivez au-dessus de cette ligne",
  why: {
    mentioned: "Vous recevez ceci parce que vous avez été mentionné par votre nom.",
    group_mentioned: "Vous recevez ceci parce que votre groupe a été mentionné.",
    you_wrote: "Vous recevez ceci parce que quelqu’un a répondu à ce que vous aviez écrit.",
    you_started: "Vous recevez ceci parce que vous avez ouvert la discussion.",
    watching: "Vous recevez ceci parce que vous surveillez la discussion.",
    watching_resource: "Vous recevez ceci parce que vous suivez la ressource.",
    group_all: "Vous recevez ceci parce que vous voulez tout savoir de {group}.",
    participant: "Vous recevez ceci parce que vous participez à la conversation.",
    you_keep: "Vous recevez ceci parce que vous vous occupez de cette ressource.",
    member: "Vous recevez ceci parce que vous êtes membre de {group}.",
    everybody: "Tout le monde à {community} reçoit ceci.",
    you_answered: "Vous recevez ceci parce que vous avez répondu à l’événement.",
    you_set: "Vous recevez ceci parce que vous avez demandé un rappel.",
    you_searched: "Vous recevez ceci parce que vous gardez cette recherche et voulez en avoir des nouvelles.",
    asked_you: "Vous recevez ceci parce qu’on vous l’a demandé.",
    about_you: "Vous recevez ceci parce que cela vous concerne.",
    your_post: "Vous recevez ceci parce que vous l’avez écrit.",
    you_asked: "Vous recevez ceci parce que vous l’avez demandé.",
    invited_you: "Vous recevez ceci parce que vous avez été invité.",
    you_lead: "Vous recevez ceci parce que vous vous occupez de {group}.",
    staff: "Vous recevez ceci parce que vous veillez sur ce lieu.",
    you_reported: "Vous recevez ceci parce que vous avez signalé quelque chose.",
  },
  change: "Choisir ce que vous recevez",
  stop: "Plus de courriels à ce sujet",
  digest: {
    subject: "Ce que vous n’avez pas lu à {community}",
    sentence: "voici ce qui s’est passé dans vos groupes pendant que vous ne regardiez pas.",
    replies: { one: "une réponse", many: "{n} réponses" },
    notThisGroup: "Laisser ce groupe de côté",
    why: "Vous recevez ce résumé aussi souvent que vous l’avez choisi dans vos réglages.",
    button: "Voir tout ce qui est nouveau",
  },
  refused: {
    subject: "Votre réponse n’est pas arrivée",
    sentence: "votre réponse par courriel n’a pas pu être placée là où elle devait être :",
    yours: "Vous",
  },
  leftOut: {
    subject: "Une partie de votre courriel a été laissée de côté",
    sentence:
      "votre réponse par courriel a été publiée. Cette partie se trouvait sous une citation, a été " +
      "prise pour telle et laissée de côté. Si elle est de vous, renvoyez-la seule :",
  },
  push: "Il y a du nouveau pour vous.",
  attachments: "(Laissé de côté, car venu par courriel : {names})",
};
