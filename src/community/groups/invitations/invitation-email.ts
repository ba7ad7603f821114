import { composeEmail } from "#community/accounts";

type InvitationMailTexts = { subject: string; hello: string; lines: string[]; button: string };

/** `{name}` is the inviter, `{group}` the group, `{community}` the site. */
const INVITATION_MAIL_TEXTS: Record<string, InvitationMailTexts> = {
  en: {
    subject: "{name} invites you to {group}",
    hello: "Hello,",
    lines: [
      "{name} invites you to {group}, a group of {community}. The invitation is for this address and " +
        "is valid for 30 days.",
      "If you do not know {name}, ignore this email.",
    ],
    button: "View invitation",
  },
  de: {
    subject: "{name} lädt dich zu {group} ein",
    hello: "Hallo,",
    lines: [
      "{name} lädt dich zu {group} ein, einer Gruppe von {community}. Die Einladung gilt für diese " +
        "Adresse und 30 Tage lang.",
      "Falls du {name} nicht kennst, musst du nichts tun.",
    ],
    button: "Einladung ansehen",
  },
  fr: {
    subject: "{name} vous invite à rejoindre {group}",
    hello: "Bonjour,",
    lines: [
      "{name} vous invite à rejoindre {group}, un groupe de {community}. L’invitation vaut pour cette " +
        "adresse, pendant 30 jours.",
      "Si vous ne connaissez pas {name}, vous n’avez rien à faire.",
    ],
    button: "Voir l’invitation",
  },
  es: {
    subject: "{name} te invita a {group}",
    hello: "Hola:",
    lines: [
      "{name} te invita a {group}, un grupo de {community}. La invitación es para esta dirección y vale 30 días.",
      "Si no conoces a {name}, no tienes que hacer nada.",
    ],
    button: "Ver la invitación",
  },
  ar: {
    subject: "يدعوك {name} إلى {group}",
    hello: "مرحبًا،",
    lines: [
      "يدعوك {name} إلى {group}، وهي مجموعة في {community}. الدعوة لهذا العنوان وتسري ثلاثين يومًا.",
      "إن كنت لا تعرف {name} فلا حاجة لأن تفعل شيئًا.",
    ],
    button: "عرض الدعوة",
  },
};

/** Composes an invitation email in the inviter's language, since the recipient's is unknown. */
export function composeInvitationEmail(
  locale: string,
  values: { name: string; group: string; community: string; link: string },
) {
  const language = Object.hasOwn(INVITATION_MAIL_TEXTS, locale) ? locale : "en";
  const { subject, hello, lines, button } = INVITATION_MAIL_TEXTS[language]!;
  const fill = (text: string) =>
    text.replace(/\{(name|group|community)\}/g, (_, key: "name" | "group" | "community") => values[key]);
  return composeEmail(language, {
    subject: fill(subject),
    sentences: [hello, ...lines.map(fill)],
    act: { button, link: values.link },
    community: values.community,
  });
}
