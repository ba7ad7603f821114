import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote =
  "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe : toutes les sessions prendront fin.";
const ignoreNote = "Si vous n’avez rien demandé, vous n’avez rien à faire.";

export const french: AccountEmailTexts = {
  hello: "Bonjour {name},",
  why:
    "Vous recevez cet e-mail parce que vous avez un compte sur {community}, ou parce que " +
    "quelqu’un y a saisi cette adresse.",
  letters: {
    confirm: {
      subject: "Confirmez votre adresse e-mail pour {community}",
      lines: [
        "bienvenue sur {community} ! Confirmez que cette adresse e-mail est la vôtre. Votre nom " +
          "d’utilisateur est @{username}. Le lien est valable une fois, pendant 48 heures.",
        "Si vous ne vous êtes pas inscrit, ignorez cet e-mail.",
      ],
      button: "Confirmer l’adresse e-mail",
    },
    confirmForApproval: {
      subject: "Confirmez votre adresse e-mail pour {community}",
      lines: [
        "vous avez demandé à rejoindre {community} sous le nom @{username}. Confirmez que cette " +
          "adresse e-mail est la vôtre ; un modérateur examine ensuite votre inscription, et nous " +
          "vous envoyons la décision par e-mail. Le lien est valable une fois, pendant 48 heures.",
        "Si vous ne vous êtes pas inscrit, ignorez cet e-mail.",
      ],
      button: "Confirmer l’adresse e-mail",
    },
    alreadyHere: {
      subject: "Vous avez déjà un compte",
      lines: [
        "quelqu’un, sans doute vous, a voulu s’inscrire sur {community} avec cette adresse. Vous avez " +
          "déjà un compte : @{username}.",
        "Si vous avez oublié votre mot de passe, vous pouvez en choisir un nouveau.",
      ],
      button: "Choisir un nouveau mot de passe",
    },
    connectProvider: {
      subject: "Associer {provider} à votre compte",
      lines: [
        "quelqu’un, sans doute vous, a voulu se connecter à {community} avec {provider} et cette " +
          "adresse. Vous avez déjà un compte : @{username}.",
        "Si c’était vous, connectez-vous comme d’habitude, puis associez {provider} dans vos " +
          "paramètres. Sinon, vous n’avez rien à faire.",
      ],
      button: "Associer {provider}",
    },
    resetPassword: {
      subject: "Choisir un nouveau mot de passe",
      lines: [
        "vous pouvez ici choisir un nouveau mot de passe pour @{username}. Le lien est valable " +
          "une fois, pendant une heure.",
        ignoreNote,
      ],
      button: "Choisir un nouveau mot de passe",
    },
    signInLink: {
      subject: "Votre lien de connexion",
      lines: [
        "ce lien vous connecte à {community}. Il est valable une fois, pendant 15 minutes.",
        ignoreNote,
      ],
      button: "Se connecter",
    },
    confirmNewAddress: {
      subject: "Confirmez votre nouvelle adresse",
      lines: [
        "confirmez que {email} est la nouvelle adresse e-mail de @{username}. Le lien est valable " +
          "une fois, pendant 48 heures.",
        ignoreNote,
      ],
      button: "Confirmer la nouvelle adresse",
    },
    addressChanging: {
      subject: "Votre adresse e-mail va changer",
      lines: [
        "l’adresse e-mail de @{username} deviendra {email} dès que la nouvelle adresse sera confirmée.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    addressChanged: {
      subject: "Votre adresse e-mail a changé",
      lines: [
        "l’adresse e-mail de @{username} est maintenant {email}. Nous n’envoyons plus d’e-mails à " +
          "l’ancienne adresse.",
        "Si ce n’était pas vous, contactez les administrateurs de {community}.",
      ],
    },
    passwordChanged: {
      subject: "Votre mot de passe a changé",
      lines: [
        "le mot de passe de @{username} a été changé ({when}). Vous avez été déconnecté partout " +
          "ailleurs.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    newDevice: {
      subject: "Nouvelle connexion",
      lines: [
        "quelqu’un s’est connecté en tant que @{username} avec un navigateur inconnu : {device}, {when}.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    secondStepOn: {
      subject: "L’authentification à deux facteurs est activée",
      lines: [
        "désormais, la connexion de @{username} avec un mot de passe demande un second facteur : " +
          "un code de votre application ou une clé d’accès. Gardez vos codes de secours en lieu " +
          "sûr.",
        notYouNote,
      ],
      button: "Ce n’était pas moi",
    },
    secondStepOff: {
      subject: "L’authentification à deux facteurs est désactivée",
      lines: ["la connexion de @{username} ne demande plus de second facteur.", notYouNote],
      button: "Ce n’était pas moi",
    },
    passkeyAdded: {
      subject: "Une clé d’accès a été ajoutée",
      lines: [
        "désormais, la clé d’accès « {device} » permet de se connecter en tant que @{username} ({when}).",
        "Si ce n’était pas vous, supprimez la clé d’accès maintenant dans vos paramètres et " +
          "choisissez un nouveau mot de passe.",
      ],
      button: "Voir vos clés d’accès",
    },
    passkeyRemoved: {
      subject: "Une clé d’accès a été supprimée",
      lines: [
        "la clé d’accès « {device} » ne permet plus de se connecter en tant que @{username} ({when}).",
        "Si ce n’était pas vous, vérifiez maintenant vos clés d’accès dans vos paramètres et " +
          "choisissez un nouveau mot de passe.",
      ],
      button: "Voir vos clés d’accès",
    },
    tokenCreated: {
      subject: "Un jeton d’accès a été créé",
      lines: [
        "désormais, les programmes qui ont le jeton d’accès « {device} » agissent en tant que " +
          "@{username} dans les limites de ses autorisations ({when}).",
        "Si ce n’était pas vous, révoquez le jeton maintenant dans vos paramètres et choisissez " +
          "un nouveau mot de passe.",
      ],
      button: "Voir vos jetons d’accès",
    },
    tokenRevoked: {
      subject: "Un jeton d’accès a été révoqué",
      lines: [
        "un administrateur de {community} a révoqué votre jeton d’accès « {device} » ({when}).",
        "Les programmes qui l’utilisaient n’ont plus accès. Vous pouvez en créer un nouveau dans " +
          "vos paramètres.",
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
        "l’export de vos données sur {community} est prêt. Vous seul pouvez le télécharger, " +
          "pendant sept jours.",
        ignoreNote,
      ],
      button: "Télécharger les données",
    },
    pictureTaken: {
      subject: "Votre image a été retirée",
      lines: [
        "l’équipe de {community} a retiré une image de votre profil (@{username}).",
        "Motif : {reason}",
        "Vous pouvez en téléverser une autre à tout moment.",
      ],
    },
    approved: {
      subject: "Bienvenue sur {community}",
      lines: ["votre compte @{username} a été approuvé. Nous sommes heureux de vous accueillir."],
      button: "Se connecter",
    },
    declined: {
      subject: "Votre inscription sur {community}",
      lines: [
        "les modérateurs de {community} ont rejeté votre inscription (@{username}).",
        "Motif : {reason}",
        "Votre compte et ses données ont été supprimés. Vous pouvez vous inscrire de nouveau.",
      ],
    },
    limited: {
      subject: "Votre compte est restreint",
      lines: [
        "les modérateurs de {community} ont restreint votre compte @{username} : vous pouvez " +
          "lire, et n’envoyer des messages qu’aux personnes que vous connaissez.",
        "Motif : {reason}",
        "La restriction prend fin automatiquement : {until}.",
        "Cette décision a été prise par une personne, pas par un programme.",
        "Vous pouvez faire appel une fois, dans les 20 jours.",
      ],
      button: "État du compte",
    },
    suspended: {
      subject: "Votre compte est suspendu",
      lines: [
        "les modérateurs de {community} ont suspendu votre compte @{username} : vous ne pouvez " +
          "pas vous connecter.",
        "Motif : {reason}",
        "La suspension prend fin automatiquement : {until}.",
        "Cette décision a été prise par une personne, pas par un programme.",
        "Vous pouvez faire appel une fois, dans les 20 jours.",
      ],
      button: "État du compte",
    },
    sanctionOver: {
      subject: "Votre compte est de nouveau actif",
      lines: ["votre compte @{username} sur {community} n’a plus aucune restriction.", "Motif : {reason}"],
      button: "Se connecter",
    },
    sanctionStays: {
      subject: "Décision sur votre appel",
      lines: [
        "votre appel au sujet de votre compte @{username} sur {community} a été rejeté.",
        "Motif : {reason}",
        "La restriction ou la suspension prend fin automatiquement : {until}.",
        "Cette décision a été prise par une personne, pas par un programme.",
      ],
    },
  },
};
