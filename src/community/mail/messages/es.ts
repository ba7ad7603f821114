import type { MailMessages } from "./message-types.ts";

export const es: MailMessages = {
  hello: "Hola, {name}:",
  bot: "el bot {name}",
  sentences: {
    reply: "{names} te {ha|han} respondido.",
    mention: "{names} te {ha|han} mencionado.",
    new_reply: "{names} {ha|han} escrito una respuesta nueva.",
    new_discussion: "{names} {ha|han} iniciado una discusión en {group}.",
    new_event: "{names} {anuncia|anuncian} el evento «{title}» en {group}.",
    new_date_poll: "{names} {busca|buscan} una fecha para «{title}» en {group}.",
    event_date: "{names} {ha|han} elegido la fecha de «{title}».",
    event_place: "hay una plaza libre: asistes a «{title}».",
    event_tomorrow: "«{title}» empieza dentro de un día.",
    event_soon: "«{title}» empieza dentro de una hora.",
    bookmark: "aquí tienes el recordatorio que pusiste.",
    new_results: "tu búsqueda «{title}» tiene resultados nuevos.",
    message: "{names} te {ha|han} enviado un mensaje.",
    message_request:
      "{names} te {ha|han} enviado una solicitud de mensaje. Hasta que respondas, nadie sabrá " +
      "si la has leído.",
    comment: "{names} {ha|han} comentado «{title}».",
    version: "{names} {ha|han} añadido una versión nueva de «{title}».",
    dead_link: "el enlace «{title}» está roto. ¿Conoces su nueva dirección?",
    friend_request: "{names} te {ha|han} enviado una solicitud de amistad.",
    friend_accepted: "{names} y tú ahora tienen amistad.",
    group_invitation: "{names} te {invita|invitan} a {group}.",
    group_request: "{names} {ha|han} solicitado unirse a {group}.",
    group_appeal: "una persona expulsada de {group} ha apelado.",
    group_archived: "{group} se ha archivado. Se puede seguir leyendo.",
    announcement: "hay un anuncio para ti.",
    post_removed: "«{title}»: un moderador quitó tu publicación.",
    webhook_paused:
      "se pausó un webhook: su destinatario no aceptaba las llamadas o ya no puedes gestionarlo.",
    account_waits: "un registro nuevo espera aprobación.",
    report: "hay una denuncia nueva por revisar.",
  },
  decisions: {
    joinApproved: "ahora eres miembro de {group}. ¡Te damos la bienvenida!",
    declined: "se rechazó tu solicitud para unirte a {group}.",
    removed: "te quitaron de {group}.",
    banned: "te expulsaron de {group}.",
    bannedUntil: "te expulsaron de {group} hasta el {moment}.",
    banEnded: "ya no estás expulsado de {group}.",
    appealDeclined: "se rechazó tu apelación de expulsión en {group}.",
    approved: "se aprobó tu grupo {group}: ahora otras personas pueden unirse.",
    groupRejected: "se rechazó tu grupo {group}. Edítalo para que se revise de nuevo, o elimínalo.",
    inspected: "un administrador que no es miembro inspecciona {group}.",
    ownerRequestDeclined:
      "la administración ha decidido no nombrar por ahora un propietario nuevo de {group}.",
  },
  changed: {
    post: "{names} {ha|han} editado tu publicación en «{title}».",
    resource: "{names} {ha|han} editado tu recurso «{title}».",
    moved: "{names} {ha|han} movido tu recurso «{title}».",
    back: "«{title}»: tu publicación vuelve a ser visible.",
    discussionBack: "se restauró tu discusión «{title}».",
  },
  eventHosts: {
    added: "{names} te {ha|han} nombrado organizador de «{title}».",
    left: "una persona ya no organiza «{title}». Tú sigues entre quienes lo organizan.",
    alone:
      "«{title}» ya no tiene organizador. Como moderas el grupo, puedes editarlo y añadir organizadores.",
  },
  eventChanges: {
    moved: "«{title}» tiene una nueva hora o un nuevo lugar.",
    postponed: "«{title}» está aplazado. La nueva fecha aún no se conoce.",
    cancelled: "«{title}» se ha cancelado.",
  },
  discussionDeleted: "un moderador eliminó tu discusión «{title}».",
  resourceRemoved: "un moderador quitó tu recurso «{title}» de la biblioteca.",
  resourceHidden:
    "varias personas denunciaron tu recurso «{title}». Está oculto hasta que un moderador lo revise.",
  postHidden:
    "«{title}»: varias personas denunciaron tu publicación. Está oculta hasta que un " +
    "moderador la revise.",
  measures: {
    subject: "Decisión de moderación",
    warned: "«{title}»: un moderador te ha advertido por tu contenido. El contenido no cambia.",
    warnedOnly: "un moderador te ha advertido.",
    locked: "un moderador cerró la discusión «{title}».",
    lockedUntil: "un moderador cerró la discusión «{title}» hasta el {moment}.",
    slowed: "un moderador activó el modo lento en la discusión «{title}».",
    slowedUntil: "un moderador activó el modo lento en la discusión «{title}» hasta el {moment}.",
    returned:
      "«{title}»: un moderador te pide que cambies tu publicación. Está oculta hasta que la " +
      "edites y un moderador la apruebe.",
    resourceReturned:
      "un moderador te pide que cambies tu recurso «{title}». Está oculto hasta que lo edites y un " +
      "moderador lo apruebe.",
  },
  firstPosts: {
    profile: "un texto de perfil de un miembro nuevo espera tu aprobación.",
    profileApproved: "se aprobó el texto nuevo de tu perfil.",
    profileReturned: "se te devolvió el texto nuevo de tu perfil. Edítalo y envíalo de nuevo.",
    resourceInGroup: "un recurso de un miembro en {group} espera tu aprobación.",
    resource: "un recurso para toda la comunidad espera tu aprobación.",
    resourceReturned: "se te devolvió tu recurso «{title}». Edítalo y envíalo de nuevo.",
    inGroup: "una publicación de un miembro nuevo en {group} espera tu aprobación.",
    under: "un comentario de un miembro nuevo en «{title}» espera tu aprobación.",
    approved: "«{title}»: se aprobó tu publicación.",
    resourceApproved: "se aprobó tu recurso «{title}».",
    returned: "«{title}»: se te devolvió tu publicación. Edítala y envíala de nuevo.",
  },
  groupDeleted: "{group} se ha eliminado.",
  waits: {
    approval: "el grupo {group} espera aprobación.",
    owner: "el grupo {group} pide un propietario nuevo.",
  },
  opens: {
    public:
      "la visibilidad de {group} cambia: a partir del {moment} cualquiera podrá encontrarlo y " +
      "leer las publicaciones nuevas. Las anteriores quedan para sus miembros.",
    private:
      "la visibilidad de {group} cambia: a partir del {moment} cualquiera podrá encontrarlo. " +
      "Solo sus miembros podrán leerlo.",
  },
  reason: "Motivo: {words}",
  statement: {
    manual: "Esta decisión la tomó una persona, no un programa.",
    appeal: "Puedes apelar una vez, en un plazo de 20 días: abre la página de abajo.",
  },
  appeals: {
    waits: "hay una apelación de una retirada por revisar.",
    account: "hay una apelación sobre una cuenta por revisar.",
    restored: "se aceptó tu apelación: tu contenido se ha restaurado.",
    stays: "se rechazó tu apelación: la retirada se ha confirmado.",
  },
  cases: {
    assigned: "te han traspasado un caso.",
    mentioned: "te han mencionado en una nota de un caso.",
  },
  reportEnds: {
    upheld: "se confirmó tu denuncia. Gracias; hemos actuado en consecuencia.",
    rejected: "hemos revisado tu denuncia y no se infringió ninguna regla.",
  },
  roleIs: "tu rol en {group} es ahora: {role}.",
  roles: { member: "miembro", moderator: "moderador", owner: "propietario" },
  subjects: {
    message: "Mensaje de {names}",
    person: "{names}",
    group: "{group}",
    reminder: "Recordatorio: {title}",
    account: "Registro a la espera de aprobación",
    pending: "Recurso a la espera de aprobación",
    webhook: "Se pausó un webhook",
    report: "Nueva denuncia",
    asked: "Decisión sobre tu apelación",
    decision: "Decisión sobre tu denuncia",
  },
  earlier: "… y {n} anteriores en el sitio.",
  buttons: { read: "Seguir leyendo", answer: "Leer y responder", look: "Verlo" },
  answerByMail: "Responde a este correo para publicar tu respuesta en el sitio con tu nombre.",
  answerLine: "Escribe por encima de esta línea",
  why: {
    mentioned: "Recibes esto porque te mencionaron.",
    group_mentioned: "Recibes esto porque mencionaron a tu grupo.",
    you_wrote: "Recibes esto porque alguien te respondió.",
    you_started: "Recibes esto porque iniciaste la discusión.",
    watching: "Recibes esto porque sigues la discusión.",
    watching_resource: "Recibes esto porque sigues el recurso.",
    group_all: "Recibes esto porque sigues todo en {group}.",
    participant: "Recibes esto porque participas en la conversación.",
    you_keep: "Recibes esto porque eres propietario del recurso.",
    member: "Recibes esto porque eres miembro de {group}.",
    everybody: "Todos en {community} reciben esto.",
    you_answered: "Recibes esto porque has respondido al evento.",
    you_host: "Recibes esto porque organizas el evento.",
    you_set: "Recibes esto porque pusiste un recordatorio.",
    you_searched: "Recibes esto porque activaste las alertas de esta búsqueda.",
    asked_you: "Recibes esto porque recibiste una solicitud.",
    about_you: "Recibes esto porque se trata de ti.",
    your_post: "Recibes esto porque lo escribiste.",
    you_asked: "Recibes esto porque enviaste una solicitud.",
    invited_you: "Recibes esto porque te invitaron.",
    you_lead: "Recibes esto porque moderas {group}.",
    staff: "Recibes esto porque formas parte del equipo.",
    you_reported: "Recibes esto porque denunciaste algo.",
  },
  change: "Ajustes de notificaciones",
  stop: "No recibir más correos sobre esto",
  digest: {
    subject: "Sin leer en {community}",
    sentence: "esto es lo nuevo en tus grupos.",
    replies: { one: "una respuesta", many: "{n} respuestas" },
    notThisGroup: "Dejar fuera este grupo",
    why: "Recibes este resumen con la frecuencia que elegiste en tus ajustes.",
    button: "Ver todo lo nuevo",
  },
  refused: {
    subject: "Tu respuesta no se publicó",
    sentence: "no se pudo publicar tu respuesta por correo:",
    yours: "Tú",
  },
  leftOut: {
    subject: "Se omitió una parte de tu correo",
    sentence:
      "tu respuesta por correo se ha publicado. Esta parte estaba debajo de un texto citado y " +
      "por eso se omitió. Si es tuya, envíala de nuevo por separado:",
  },
  push: "Tienes una notificación nueva.",
  attachments: "(Omitido, por enviarse por correo: {names})",
};
