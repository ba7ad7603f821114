import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "Si no fuiste tú, pon ahora una contraseña nueva: así terminan todas las sesiones.";
const ignoreNote = "Si no lo has pedido, no tienes que hacer nada.";

export const spanish: AccountEmailTexts = {
  hello: "Hola, {name}:",
  why:
    "Recibes este correo porque tienes una cuenta en {community} o porque alguien escribió " +
    "allí esta dirección.",
  letters: {
    confirm: {
      subject: "Confirma tu dirección de correo para {community}",
      lines: [
        "te damos la bienvenida a {community}. Confirma que esta dirección de correo es tuya. Tu " +
          "nombre de usuario es @{username}. El enlace sirve una sola vez, durante 48 horas.",
        "Si no te has registrado, ignora este correo.",
      ],
      button: "Confirmar dirección de correo",
    },
    confirmForApproval: {
      subject: "Confirma tu dirección de correo para {community}",
      lines: [
        "has pedido unirte a {community} como @{username}. Confirma que esta dirección de correo " +
          "es tuya; después, un moderador revisará tu registro y te enviaremos la decisión por " +
          "correo. El enlace sirve una sola vez, durante 48 horas.",
        "Si no te has registrado, ignora este correo.",
      ],
      button: "Confirmar dirección de correo",
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
        "Si fuiste tú, inicia sesión como siempre y conecta {provider} en tus ajustes. Si no, no " +
          "tienes que hacer nada.",
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
      subject: "Tu enlace para iniciar sesión",
      lines: [
        "con este enlace inicias sesión en {community}. Sirve una sola vez, durante 15 minutos.",
        ignoreNote,
      ],
      button: "Iniciar sesión",
    },
    confirmNewAddress: {
      subject: "Confirma tu nueva dirección",
      lines: [
        "confirma que {email} es la nueva dirección de correo de @{username}. El enlace sirve una " +
          "sola vez, durante 48 horas.",
        ignoreNote,
      ],
      button: "Confirmar la nueva dirección",
    },
    addressChanging: {
      subject: "Tu dirección de correo va a cambiar",
      lines: [
        "la dirección de correo de @{username} cambiará a {email} en cuanto se confirme la nueva " +
          "dirección.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    addressChanged: {
      subject: "Tu dirección de correo ha cambiado",
      lines: [
        "la dirección de correo de @{username} es ahora {email}. Ya no enviamos correos a la " +
          "dirección anterior.",
        "Si no fuiste tú, contacta con la administración de {community}.",
      ],
    },
    passwordChanged: {
      subject: "Tu contraseña ha cambiado",
      lines: [
        "se cambió la contraseña de @{username} ({when}). Se cerró tu sesión en todos los demás sitios.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    newDevice: {
      subject: "Nuevo inicio de sesión",
      lines: [
        "alguien inició sesión como @{username} con un navegador desconocido: {device}, {when}.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    secondStepOn: {
      subject: "La autenticación en dos pasos está activada",
      lines: [
        "desde ahora, iniciar sesión como @{username} con contraseña requiere un segundo factor: " +
          "un código de tu aplicación o una llave de acceso. Guarda tus códigos de recuperación en " +
          "un lugar seguro.",
        notYouNote,
      ],
      button: "No fui yo",
    },
    secondStepOff: {
      subject: "La autenticación en dos pasos está desactivada",
      lines: ["iniciar sesión como @{username} ya no requiere un segundo factor.", notYouNote],
      button: "No fui yo",
    },
    passkeyAdded: {
      subject: "Se ha añadido una llave de acceso",
      lines: [
        "desde ahora, la llave de acceso «{device}» permite iniciar sesión como @{username} ({when}).",
        "Si no fuiste tú, quita ahora la llave de acceso en tus ajustes y pon una contraseña nueva.",
      ],
      button: "Ver tus llaves de acceso",
    },
    passkeyRemoved: {
      subject: "Se ha quitado una llave de acceso",
      lines: [
        "la llave de acceso «{device}» ya no permite iniciar sesión como @{username} ({when}).",
        "Si no fuiste tú, revisa ahora tus llaves de acceso en tus ajustes y pon una contraseña nueva.",
      ],
      button: "Ver tus llaves de acceso",
    },
    tokenCreated: {
      subject: "Se ha creado un token de acceso",
      lines: [
        "desde ahora, los programas que tengan el token de acceso «{device}» actúan como " +
          "@{username} dentro de sus permisos ({when}).",
        "Si no fuiste tú, revoca ahora el token en tus ajustes y pon una contraseña nueva.",
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
        "la exportación de tus datos en {community} está lista. Solo tú puedes descargarla, " +
          "durante siete días.",
        ignoreNote,
      ],
      button: "Descargar datos",
    },
    pictureTaken: {
      subject: "Se ha quitado tu imagen",
      lines: [
        "el equipo de {community} ha quitado una imagen de tu perfil (@{username}).",
        "Motivo: {reason}",
        "Puedes subir otra en cualquier momento.",
      ],
    },
    approved: {
      subject: "Te damos la bienvenida a {community}",
      lines: ["tu cuenta @{username} ha sido aprobada. Nos alegra que estés aquí."],
      button: "Iniciar sesión",
    },
    declined: {
      subject: "Tu registro en {community}",
      lines: [
        "los moderadores de {community} han rechazado tu registro (@{username}).",
        "Motivo: {reason}",
        "Tu cuenta y sus datos se han eliminado. Puedes registrarte de nuevo.",
      ],
    },
    limited: {
      subject: "Tu cuenta está restringida",
      lines: [
        "los moderadores de {community} han restringido tu cuenta @{username}: puedes leer, y " +
          "enviar mensajes solo a personas que conoces.",
        "Motivo: {reason}",
        "La restricción termina automáticamente: {until}.",
        "Esta decisión la tomó una persona, no un programa.",
        "Puedes apelar una vez, en un plazo de 20 días.",
      ],
      button: "Estado de la cuenta",
    },
    suspended: {
      subject: "Tu cuenta está suspendida",
      lines: [
        "los moderadores de {community} han suspendido tu cuenta @{username}: no puedes iniciar sesión.",
        "Motivo: {reason}",
        "La suspensión termina automáticamente: {until}.",
        "Esta decisión la tomó una persona, no un programa.",
        "Puedes apelar una vez, en un plazo de 20 días.",
      ],
      button: "Estado de la cuenta",
    },
    sanctionOver: {
      subject: "Tu cuenta vuelve a estar activa",
      lines: ["tu cuenta @{username} en {community} ya no tiene restricciones.", "Motivo: {reason}"],
      button: "Iniciar sesión",
    },
    sanctionStays: {
      subject: "Decisión sobre tu apelación",
      lines: [
        "se ha rechazado tu apelación sobre tu cuenta @{username} en {community}.",
        "Motivo: {reason}",
        "La restricción o suspensión termina automáticamente: {until}.",
        "Esta decisión la tomó una persona, no un programa.",
      ],
    },
  },
};
