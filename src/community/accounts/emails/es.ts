import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "Si no fuiste tú, pon ahora una contraseña nueva: así terminan todas las sesiones.";
const ignoreNote = "Si no lo has pedido, no tienes que hacer nada.";

export const spanish: AccountEmailTexts = {
  hello: "Hola, {name}:",
  why: "Recibes este mensaje porque tienes una cuenta en {community} o porque alguien dio allí esta dirección.",
  letters: {
    confirm: {
      subject: "Confirma tu dirección para {community}",
      lines: [
        "te damos la bienvenida a {community}. Confirma, por favor, que esta dirección es tuya. Allí " +
          "serás @{username}. El enlace sirve una sola vez, durante 48 horas.",
        "Si no te has registrado, no lo sigas.",
      ],
      button: "Confirmar mi dirección",
    },
    confirmForApproval: {
      subject: "Confirma tu dirección para {community}",
      lines: [
        "has pedido unirte a {community} como @{username}. Confirma, por favor, que esta dirección es tuya; " +
          "después, la moderación revisará tu registro y te enviará la decisión. El enlace sirve una sola " +
          "vez, durante 48 horas.",
        "Si no te has registrado, no lo sigas.",
      ],
      button: "Confirmar mi dirección",
    },
    alreadyHere: {
      subject: "Ya tienes una cuenta",
      lines: [
        "alguien, seguramente tú, quiso registrarse en {community} con esta dirección. Ya tienes una " +
          "cuenta: @{username}.",
        "Si has olvidado la contraseña, puedes poner una nueva.",
      ],
      button: "Poner una contraseña nueva",
    },
    connectProvider: {
      subject: "Conecta {provider} con tu cuenta",
      lines: [
        "alguien, seguramente tú, quiso iniciar sesión en {community} con {provider} y esta dirección. " +
          "Ya tienes una cuenta: @{username}.",
        "Si fuiste tú, inicia sesión como siempre y conecta {provider} en tus ajustes. A partir de " +
          "entonces podrás entrar así. Si no, no tienes que hacer nada.",
      ],
      button: "Conectar {provider}",
    },
    resetPassword: {
      subject: "Poner una contraseña nueva",
      lines: [
        "aquí puedes poner una contraseña nueva para @{username}. El enlace sirve una sola vez, durante una hora.",
        ignoreNote,
      ],
      button: "Poner una contraseña nueva",
    },
    signInLink: {
      subject: "Tu enlace para entrar",
      lines: ["con este enlace entras en {community}. Sirve una sola vez, durante 15 minutos.", ignoreNote],
      button: "Entrar",
    },
    confirmNewAddress: {
      subject: "Confirma tu nueva dirección",
      lines: [
        "confirma, por favor, que {email} será la nueva dirección de @{username}. El enlace sirve una " +
          "sola vez, durante 48 horas.",
        ignoreNote,
      ],
      button: "Confirmar la nueva dirección",
    },
    addressChanging: {
      subject: "Tu dirección va a cambiar",
      lines: [
        "la dirección de @{username} pasará a ser {email}. Valdrá en cuanto se confirme allí.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    addressChanged: {
      subject: "Tu dirección ha cambiado",
      lines: [
        "la dirección de @{username} es ahora {email}. Ya no escribimos a esta.",
        "Si no fuiste tú, escribe a quienes cuidan de {community}.",
      ],
    },
    passwordChanged: {
      subject: "Tu contraseña ha cambiado",
      lines: [
        "se cambió la contraseña de @{username} ({when}). Todas las demás sesiones han terminado.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    newDevice: {
      subject: "Una nueva entrada",
      lines: [
        "alguien entró como @{username} con un navegador que no conocíamos: {device}, {when}.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    secondStepOn: {
      subject: "Ahora se entra en dos pasos",
      lines: [
        "desde ahora, entrar como @{username} con contraseña pide un segundo paso: un código de tu " +
          "aplicación o una llave de acceso. Guarda bien tus códigos de recuperación.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    secondStepOff: {
      subject: "El segundo paso está desactivado",
      lines: ["entrar como @{username} ya no pide un segundo paso.", notYouNote],
      button: "No fui yo",
    },
    passkeyAdded: {
      subject: "Se ha añadido una llave de acceso",
      lines: [
        "desde ahora, la llave de acceso «{device}» permite entrar como @{username} ({when}).",
        "Si no fuiste tú, quítala ahora en tus ajustes y pon una contraseña nueva.",
      ],
      button: "Ver tus llaves de acceso",
    },
    passkeyRemoved: {
      subject: "Se ha quitado una llave de acceso",
      lines: [
        "la llave de acceso «{device}» ya no permite entrar como @{username} ({when}).",
        "Si no fuiste tú, mira ahora tus llaves de acceso en tus ajustes y pon una contraseña nueva.",
      ],
      button: "Ver tus llaves de acceso",
    },
    tokenCreated: {
      subject: "Se ha creado un token de acceso",
      lines: [
        "desde ahora, los programas que tengan el token de acceso «{device}» actúan como " +
          "@{username} dentro de sus permisos ({when}).",
        "Si no fuiste tú, revócalo ahora en tus ajustes y pon una contraseña nueva.",
      ],
      button: "Ver tus tokens de acceso",
    },
    tokenRevoked: {
      subject: "Se ha revocado un token de acceso",
      lines: [
        "la administración de {community} ha revocado tu token de acceso «{device}» ({when}).",
        "Los programas que lo usaban ya no tienen acceso. Puedes crear uno nuevo en tus ajustes.",
      ],
      button: "Ver tus tokens de acceso",
    },
    testEmail: {
      subject: "El correo funciona",
      lines: [
        "esto es una prueba del servidor de correo de {community}. Funciona: " +
          "los miembros pueden confirmar su dirección y restablecer su contraseña.",
      ],
      button: "Ir a {community}",
    },
    exportReady: {
      subject: "Tus datos están listos",
      lines: [
        "todo lo tuyo en {community} está reunido. Puedes recogerlo durante siete días; nadie más puede.",
        ignoreNote,
      ],
      button: "Recogerlo",
    },
    pictureTaken: {
      subject: "Se ha retirado una imagen tuya",
      lines: [
        "quienes llevan {community} han retirado una imagen de tu perfil (@{username}).",
        "El motivo: {reason}",
        "Puedes poner otra cuando quieras.",
      ],
    },
    approved: {
      subject: "Te damos la bienvenida a {community}",
      lines: ["tu cuenta @{username} ha sido aprobada. Nos alegra que estés aquí."],
      button: "Entrar",
    },
    declined: {
      subject: "Tu registro en {community}",
      lines: [
        "quienes cuidan de {community} han leído tu registro (@{username}) y han decidido no aceptarlo.",
        "El motivo: {reason}",
        "Tu cuenta se ha borrado, con todo lo que habías indicado. Nada te impide registrarte de nuevo.",
      ],
    },
    limited: {
      subject: "Tu cuenta está limitada",
      lines: [
        "quienes cuidan de {community} han limitado tu cuenta @{username}: por ahora puedes leer, y " +
          "solo escribir mensajes a personas que conoces aquí.",
        "El motivo: {reason}",
        "Termina por sí solo: {until}.",
        "Durante veinte días puedes pedir una vez que otra persona lo revise.",
      ],
      button: "Cómo está tu cuenta",
    },
    suspended: {
      subject: "Tu cuenta está suspendida",
      lines: [
        "quienes cuidan de {community} han suspendido tu cuenta @{username}: por ahora no puedes entrar.",
        "El motivo: {reason}",
        "Termina por sí solo: {until}.",
        "Durante veinte días puedes pedir una vez que otra persona lo revise.",
      ],
      button: "Cómo está tu cuenta",
    },
    sanctionOver: {
      subject: "Tu cuenta vuelve a estar abierta",
      lines: [
        "ya no pesa nada sobre tu cuenta @{username} en {community}: puedes leer y escribir como antes.",
        "El motivo: {reason}",
      ],
      button: "Entrar",
    },
    sanctionStays: {
      subject: "Tu cuenta: queda como se decidió",
      lines: [
        "pediste que se volviera a mirar lo que se decidió sobre tu cuenta @{username} en {community}. " +
          "Queda como se decidió.",
        "El motivo: {reason}",
        "Termina por sí solo: {until}.",
      ],
    },
  },
};
