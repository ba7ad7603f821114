import { composeEmail } from "#community/accounts";

type GuestReportEmailKind = "confirm" | "receipt" | "upheld" | "rejected";
type Texts = {
  hello: string;
  /** Footer: why the guest gets this email. */
  why: string;
  letters: Record<GuestReportEmailKind, { subject: string; lines: string[]; button?: string }>;
};

/** `{name}` is the guest's name, `{community}` the site. */
const TEXTS: Record<string, Texts> = {
  en: {
    hello: "Hello {name},",
    why: "You get this because someone reported content at {community} with this address.",
    letters: {
      confirm: {
        subject: "Confirm your report at {community}",
        lines: [
          "you reported content at {community}. Confirm that this is your email address; moderators see " +
            "the report only then. The link is valid for two days.",
          "If you did not report anything, ignore this email. The report is then deleted.",
        ],
        button: "Confirm report",
      },
      receipt: {
        subject: "We have received your report",
        lines: [
          "the moderators of {community} will review your report. We email you the decision.",
          "This link shows the status. Only you have it, so do not forward this email.",
        ],
        button: "View status",
      },
      upheld: {
        subject: "Decision on your report",
        lines: [
          "your report at {community} was upheld. Thank you; we have acted on it.",
          "A person made this decision, not a program.",
        ],
        button: "View status",
      },
      rejected: {
        subject: "Decision on your report",
        lines: [
          "we reviewed your report at {community} and found no breach of the rules.",
          "A person made this decision, not a program.",
        ],
        button: "View status",
      },
    },
  },
  de: {
    hello: "Hallo {name},",
    why: "Du bekommst das, weil mit dieser Adresse bei {community} ein Inhalt gemeldet wurde.",
    letters: {
      confirm: {
        subject: "Bestätige deine Meldung bei {community}",
        lines: [
          "du hast bei {community} einen Inhalt gemeldet. Bestätige, dass das deine E-Mail-Adresse ist; erst " +
            "dann sehen Moderatoren die Meldung. Der Link gilt zwei Tage.",
          "Falls du nichts gemeldet hast, musst du nichts tun. Die Meldung wird dann gelöscht.",
        ],
        button: "Meldung bestätigen",
      },
      receipt: {
        subject: "Deine Meldung ist eingegangen",
        lines: [
          "die Moderatoren von {community} prüfen deine Meldung. Wir schreiben dir, wie sie entschieden haben.",
          "Dieser Link zeigt den Stand. Nur du hast ihn, leite diese E-Mail also nicht weiter.",
        ],
        button: "Stand ansehen",
      },
      upheld: {
        subject: "Entscheidung über deine Meldung",
        lines: [
          "deine Meldung bei {community} war berechtigt. Danke; wir haben gehandelt.",
          "Diese Entscheidung hat ein Mensch getroffen, kein Programm.",
        ],
        button: "Stand ansehen",
      },
      rejected: {
        subject: "Entscheidung über deine Meldung",
        lines: [
          "wir haben deine Meldung bei {community} geprüft und keinen Regelverstoß gefunden.",
          "Diese Entscheidung hat ein Mensch getroffen, kein Programm.",
        ],
        button: "Stand ansehen",
      },
    },
  },
  fr: {
    hello: "Bonjour {name},",
    why: "Vous recevez ceci parce qu’un contenu de {community} a été signalé avec cette adresse.",
    letters: {
      confirm: {
        subject: "Confirmez votre signalement sur {community}",
        lines: [
          "vous avez signalé un contenu sur {community}. Confirmez que cette adresse e-mail est la vôtre ; les " +
            "modérateurs ne voient le signalement qu’ensuite. Le lien est valable deux jours.",
          "Si vous n’avez rien signalé, ignorez cet e-mail. Le signalement est alors supprimé.",
        ],
        button: "Confirmer le signalement",
      },
      receipt: {
        subject: "Nous avons reçu votre signalement",
        lines: [
          "les modérateurs de {community} vont examiner votre signalement. Nous vous enverrons la décision.",
          "Ce lien affiche l’état du signalement. Vous seul l’avez : ne transférez pas cet e-mail.",
        ],
        button: "Voir l’état",
      },
      upheld: {
        subject: "Décision concernant votre signalement",
        lines: [
          "votre signalement sur {community} était justifié. Merci ; nous avons agi en conséquence.",
          "Cette décision a été prise par une personne, pas par un programme.",
        ],
        button: "Voir l’état",
      },
      rejected: {
        subject: "Décision concernant votre signalement",
        lines: [
          "nous avons examiné votre signalement sur {community} et n’avons constaté aucune infraction aux règles.",
          "Cette décision a été prise par une personne, pas par un programme.",
        ],
        button: "Voir l’état",
      },
    },
  },
  es: {
    hello: "Hola, {name}:",
    why: "Recibes esto porque alguien denunció un contenido en {community} con esta dirección.",
    letters: {
      confirm: {
        subject: "Confirma tu denuncia en {community}",
        lines: [
          "has denunciado un contenido en {community}. Confirma que esta es tu dirección de correo; solo " +
            "entonces verán la denuncia los moderadores. El enlace vale dos días.",
          "Si no has denunciado nada, ignora este correo. La denuncia se eliminará.",
        ],
        button: "Confirmar denuncia",
      },
      receipt: {
        subject: "Hemos recibido tu denuncia",
        lines: [
          "los moderadores de {community} revisarán tu denuncia. Te enviaremos la decisión por correo.",
          "Este enlace muestra el estado. Solo tú lo tienes, así que no reenvíes este correo.",
        ],
        button: "Ver estado",
      },
      upheld: {
        subject: "Decisión sobre tu denuncia",
        lines: [
          "se confirmó tu denuncia en {community}. Gracias; hemos actuado en consecuencia.",
          "Esta decisión la tomó una persona, no un programa.",
        ],
        button: "Ver estado",
      },
      rejected: {
        subject: "Decisión sobre tu denuncia",
        lines: [
          "hemos revisado tu denuncia en {community} y no hemos encontrado ninguna infracción de las normas.",
          "Esta decisión la tomó una persona, no un programa.",
        ],
        button: "Ver estado",
      },
    },
  },
  ar: {
    hello: "مرحبًا {name}،",
    why: "يصلك هذا لأن محتوى في {community} أُبلغ عنه بهذا العنوان.",
    letters: {
      confirm: {
        subject: "أكّد بلاغك في {community}",
        lines: [
          "لقد أبلغت عن محتوى في {community}. أكّد أن هذا بريدك الإلكتروني؛ لا يرى المشرفون البلاغ إلا بعد ذلك. " +
            "الرابط صالح ليومين.",
          "إن لم تُبلغ عن شيء فتجاهل هذه الرسالة، وسيُحذف البلاغ.",
        ],
        button: "تأكيد البلاغ",
      },
      receipt: {
        subject: "استلمنا بلاغك",
        lines: [
          "سيراجع مشرفو {community} بلاغك، وسنرسل إليك القرار بالبريد الإلكتروني.",
          "يعرض هذا الرابط حالة البلاغ. لا يملكه غيرك، فلا تُعِد توجيه هذه الرسالة.",
        ],
        button: "عرض الحالة",
      },
      upheld: {
        subject: "القرار بشأن بلاغك",
        lines: ["كان بلاغك في {community} صحيحًا. شكرًا لك؛ لقد اتخذنا إجراءً.", "اتخذ هذا القرار شخص لا برنامج."],
        button: "عرض الحالة",
      },
      rejected: {
        subject: "القرار بشأن بلاغك",
        lines: ["راجعنا بلاغك في {community} ولم نجد مخالفة للقواعد.", "اتخذ هذا القرار شخص لا برنامج."],
        button: "عرض الحالة",
      },
    },
  },
};

type Values = { name: string; community: string; link?: string };

/** Composes an email to a guest in the language of the report; English where it is not available. */
export function composeGuestReportEmail(kind: GuestReportEmailKind, locale: string, values: Values) {
  const language = Object.hasOwn(TEXTS, locale) ? locale : "en";
  const { hello, why, letters } = TEXTS[language]!;
  const { subject, lines, button } = letters[kind];
  const fill = (text: string) =>
    text.replace(/\{(name|community)\}/g, (_, key: "name" | "community") => values[key]);
  return composeEmail(language, {
    subject: fill(subject),
    sentences: [hello, ...lines].map(fill),
    act: button && values.link ? { button, link: values.link } : null,
    community: values.community,
    why: fill(why),
  });
}
