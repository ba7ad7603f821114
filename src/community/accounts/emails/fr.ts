import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote =
  "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe : toutes les sessions prendront fin.";
const ignoreNote = "Si vous n’avez rien demandé, vous n’avez rien à faire.";

export const french: AccountEmailTexts = {
  hello: "Bonjour {name},",
  why:
    "Vous recevez ce message parce que vous avez un compte sur {community}, ou parce que quelqu’un y a " +
    "donné cette adresse.",
  letters: {
    confirm: {
      subject: "Confirmez votre adresse pour {community}",
      lines: [
        "bienvenue sur {community} ! Merci de confirmer que cette adresse est la vôtre. Vous y serez " +
          "@{username}. Le lien sert une seule fois, pendant 48 heures.",
        "Si vous ne vous êtes pas inscrit, ne le suivez pas.",
      ],
      button: "Confirmer mon adresse",
    },
    confirmForApproval: {
      subject: "Confirmez votre adresse pour {community}",
      lines: [
        "vous avez demandé à rejoindre {community} sous le nom @{username}. Merci de confirmer que cette " +
          "adresse est la vôtre ; la modération examinera ensuite votre inscription et vous enverra sa " +
          "décision. Le lien sert une seule fois, pendant 48 heures.",
        "Si vous ne vous êtes pas inscrit, ne le suivez pas.",
      ],
      button: "Confirmer mon adresse",
    },
    alreadyHere: {
      subject: "Vous avez déjà un compte",
      lines: [
        "quelqu’un, sans doute vous, a voulu s’inscrire sur {community} avec cette adresse. Vous avez " +
          "déjà un compte : @{username}.",
        "Si vous avez oublié votre mot de passe, vous pouvez en choisir un nouveau.",
      ],
      button: "Choisir un mot de passe",
    },
    connectProvider: {
      subject: "Associer {provider} à votre compte",
      lines: [
        "quelqu’un, sans doute vous, a voulu se connecter à {community} avec {provider} et cette " +
          "adresse. Vous avez déjà un compte : @{username}.",
        "Si c’était vous, connectez-vous comme d’habitude, puis associez {provider} dans vos " +
          "paramètres. Vous pourrez ensuite vous connecter ainsi. Sinon, vous n’avez rien à faire.",
      ],
      button: "Associer {provider}",
    },
    resetPassword: {
      subject: "Choisir un nouveau mot de passe",
      lines: [
        "vous pouvez ici choisir un nouveau mot de passe pour @{username}. Le lien sert une seule " +
          "fois, pendant une heure.",
        ignoreNote,
      ],
      button: "Choisir un mot de passe",
    },
    signInLink: {
      subject: "Votre lien de connexion",
      lines: ["ce lien vous connecte à {community}. Il sert une seule fois, pendant 15 minutes.", ignoreNote],
      button: "Se connecter",
    },
    confirmNewAddress: {
      subject: "Confirmez votre nouvelle adresse",
      lines: [
        "merci de confirmer que {email} sera la nouvelle adresse de @{username}. Le lien sert une " +
          "seule fois, pendant 48 heures.",
        ignoreNote,
      ],
      button: "Confirmer la nouvelle adresse",
    },
    addressChanging: {
      subject: "Votre adresse va changer",
      lines: [
        "l’adresse de @{username} doit devenir {email}. Elle vaudra dès qu’elle y sera confirmée.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    addressChanged: {
      subject: "Votre adresse a changé",
      lines: [
        "l’adresse de @{username} est maintenant {email}. Nous n’écrivons plus à celle-ci.",
        "Si ce n’était pas vous, écrivez à ceux qui s’occupent de {community}.",
      ],
    },
    passwordChanged: {
      subject: "Votre mot de passe a changé",
      lines: [
        "le mot de passe de @{username} a été changé ({when}). Toutes les autres sessions ont pris fin.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    newDevice: {
      subject: "Une nouvelle connexion",
      lines: [
        "quelqu’un s’est connecté en tant que @{username} avec un navigateur inconnu : {device}, {when}.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    secondStepOn: {
      subject: "La connexion se fait maintenant en deux étapes",
      lines: [
        "désormais, la connexion de @{username} avec un mot de passe demande une deuxième étape : un " +
          "code de votre application ou une clé d’accès. Gardez vos codes de secours en lieu sûr.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    secondStepOff: {
      subject: "La deuxième étape est désactivée",
      lines: ["la connexion de @{username} ne demande plus de deuxième étape.", notYouNote],
      button: "Ce n’était pas moi",
    },
    passkeyAdded: {
      subject: "Une clé d’accès a été ajoutée",
      lines: [
        "désormais, la clé d’accès « {device} » permet de se connecter en tant que @{username} ({when}).",
        "Si ce n’était pas vous, supprimez-la maintenant dans vos réglages et choisissez un nouveau mot de passe.",
      ],
      button: "Voir vos clés d’accès",
    },
    passkeyRemoved: {
      subject: "Une clé d’accès a été supprimée",
      lines: [
        "la clé d’accès « {device} » ne permet plus de se connecter en tant que @{username} ({when}).",
        "Si ce n’était pas vous, regardez maintenant vos clés d’accès dans vos réglages et choisissez " +
          "un nouveau mot de passe.",
      ],
      button: "Voir vos clés d’accès",
    },
    tokenCreated: {
      subject: "Un jeton d’accès a été créé",
      lines: [
        "désormais, les programmes qui ont le jeton d’accès « {device} » agissent en tant que " +
          "@{username} dans les limites de ses autorisations ({when}).",
        "Si ce n’était pas vous, révoquez-le maintenant dans vos réglages et choisissez un " +
          "nouveau mot de passe.",
      ],
      button: "Voir vos jetons d’accès",
    },
    tokenRevoked: {
      subject: "Un jeton d’accès a été révoqué",
      lines: [
        "un administrateur de {community} a révoqué votre jeton d’accès « {device} » ({when}).",
        "Les programmes qui l’utilisaient n’ont plus accès. Vous pouvez en créer un nouveau dans " +
          "vos réglages.",
      ],
      button: "Voir vos jetons d’accès",
    },
    testEmail: {
      subject: "L’envoi d’e-mails fonctionne",
      lines: [
        "ceci est un test du serveur de messagerie de {community}. Il fonctionne : " +
          "les membres peuvent confirmer leur adresse et réinitialiser leur mot de passe.",
      ],
      button: "Aller sur {community}",
    },
    exportReady: {
      subject: "Vos données sont prêtes",
      lines: [
        "tout ce qui est à vous sur {community} est rassemblé. Vous pouvez le récupérer pendant sept " +
          "jours ; personne d’autre ne le peut.",
        ignoreNote,
      ],
      button: "Les récupérer",
    },
    pictureTaken: {
      subject: "Une de vos images a été retirée",
      lines: [
        "les responsables de {community} ont retiré une image de votre profil (@{username}).",
        "Leur raison : {reason}",
        "Vous pouvez en mettre une autre à tout moment.",
      ],
    },
    approved: {
      subject: "Bienvenue sur {community}",
      lines: ["votre compte @{username} est accepté. Nous sommes heureux de vous accueillir."],
      button: "Se connecter",
    },
    declined: {
      subject: "Votre inscription sur {community}",
      lines: [
        "les personnes qui s’occupent de {community} ont lu votre inscription (@{username}) et ont " +
          "décidé de ne pas l’accepter.",
        "Leur raison : {reason}",
        "Votre compte est supprimé, avec tout ce que vous y aviez indiqué. Rien ne vous empêche de " +
          "vous inscrire à nouveau.",
      ],
    },
    limited: {
      subject: "Votre compte est limité",
      lines: [
        "les personnes qui s’occupent de {community} ont limité votre compte @{username} : pour " +
          "l’instant, vous pouvez lire, et n’écrire que des messages à des personnes que vous connaissez ici.",
        "La raison : {reason}",
        "Cela prend fin de soi-même : {until}.",
        "Pendant vingt jours, vous pouvez demander une fois que quelqu’un d’autre l’examine.",
      ],
      button: "Où en est votre compte",
    },
    suspended: {
      subject: "Votre compte est suspendu",
      lines: [
        "les personnes qui s’occupent de {community} ont suspendu votre compte @{username} : pour " +
          "l’instant, vous ne pouvez pas vous connecter.",
        "La raison : {reason}",
        "Cela prend fin de soi-même : {until}.",
        "Pendant vingt jours, vous pouvez demander une fois que quelqu’un d’autre l’examine.",
      ],
      button: "Où en est votre compte",
    },
    sanctionOver: {
      subject: "Votre compte est de nouveau ouvert",
      lines: [
        "plus rien ne pèse sur votre compte @{username} sur {community} : vous pouvez lire et écrire comme avant.",
        "Leur raison : {reason}",
      ],
      button: "Se connecter",
    },
    sanctionStays: {
      subject: "Votre compte : la décision reste la même",
      lines: [
        "vous avez demandé que ce qui a été décidé au sujet de votre compte @{username} sur " +
          "{community} soit réexaminé. La décision reste la même.",
        "La raison : {reason}",
        "Cela prend fin de soi-même : {until}.",
      ],
    },
  },
};
