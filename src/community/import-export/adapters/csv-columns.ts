// Maps column titles of CSV tables to record fields: the usual titles in five languages, and those of
// well-known programs.

/**
 * A table may have separate columns for given name and family name; `given` and `family` are joined into the
 * name.
 */
const COLUMNS: Record<string, string> = {
  id: "id | member id | discord id | kennung",
  username:
    "username | login | user login | user name | screen name | handle | nickname | nick | " +
    "mitgliedsname | benutzername | nutzername | spitzname | " +
    "nom d'utilisateur | identifiant | pseudo | pseudonyme | nombre de usuario | alias | apodo | اسم " +
    "المستخدم | اسم مستخدم",
  name:
    "name | display name | full name | real name | member name | subscriber name | anzeigename | " +
    "vollständiger name | voller name | " +
    "nom complet | nom affiché | nom d'affichage | nombre completo | nombre para mostrar | nombre y " +
    "apellidos | الاسم | الاسم الكامل",
  given:
    "first name | firstname | given name | forename | fname | vorname | rufname | prénom | nombre | " +
    "nombre de pila | primer nombre | الاسم الأول",
  family:
    "last name | lastname | family name | surname | lname | nachname | familienname | zuname | nom | " +
    "nom de famille | apellido | apellidos | " +
    "اسم العائلة | اللقب | الكنية | الاسم الأخير",
  email:
    "email | mail | email address | mail address | user email | primary email | email 1 value | email " +
    "1 | email value | contact email | " +
    "e mail adresse | mailadresse | primäre e mail adresse | courriel | adresse email | adresse e mail " +
    "| adresse mail | adresse de messagerie | " +
    "adresse électronique | adresse courriel | correo | correo electrónico | dirección de correo | " +
    "dirección de correo electrónico | " +
    "dirección de email | البريد الإلكتروني | البريد الالكتروني | بريد إلكتروني | عنوان البريد الإلكتروني",
  bio:
    "bio | biography | about me | biografie | über mich | biographie | à propos de moi | biografía | " +
    "sobre mí | نبذة",
  pronouns: "pronouns | pronomen | pronoms | pronombres | الضمائر",
  location:
    "location | city | town | place | ort | wohnort | stadt | ville | lieu | localité | ciudad | " +
    "ubicación | localidad | lugar | المدينة | الموقع",
  locale: "locale",
  timeZone: "timezone",
  createdAt:
    "created at | created | created on | creation date | date | joined at | joined | joined on | " +
    "joined date | join date | date joined | member since | " +
    "joined group on | registered | registered at | registration date | user registered | user regdate " +
    "| signup date | signed up | signed up at | " +
    "subscribed at | optin time | connected on | patronage since date | datum | erstellt | erstellt am " +
    "| eintritt | eintrittsdatum | beitritt | " +
    "beitrittsdatum | beigetreten | beigetreten am | mitglied seit | registriert | registriert am | " +
    "angemeldet am | aufnahmedatum | date d'adhésion | " +
    "adhésion | date d'inscription | inscription | inscrit le | membre depuis | créé le | date de " +
    "création | fecha | fecha de alta | alta | " +
    "fecha de registro | fecha de inscripción | registrado el | miembro desde | creado | creado el | " +
    "fecha de creación | التاريخ | تاريخ الانضمام | " +
    "تاريخ التسجيل | عضو منذ | تاريخ الإنشاء",
  editedAt: "edited at | geändert am | modifié le | editado el",
  slug: "slug",
  purpose: "purpose | description | beschreibung | zweck | descripción | الوصف",
  about: "about",
  topic: "topic",
  visibility: "visibility | sichtbarkeit | visibilité | visibilidad",
  joinPolicy: "join policy",
  owner: "owner | owner id | eigentümer | propriétaire | propietario | المالك",
  group: "group | group id | gruppe | groupe | grupo | المجموعة",
  user: "user | user id | member | mitglied | benutzer | membre | utilisateur | miembro | usuario | العضو | المستخدم",
  role: "role | rolle | rôle | rol | الدور",
  state: "state",
  title: "title | subject | titel | betreff | titre | sujet | objet | título | asunto | العنوان | الموضوع",
  author: "author | author id | autor | verfasser | auteur | الكاتب | المؤلف",
  tags: "tags | schlagwörter | stichwörter | étiquettes | mots clés | etiquetas | الوسوم",
  language: "language | sprache | langue | idioma | اللغة",
  discussion: "discussion | discussion id | diskussion | discusión | النقاش",
  body:
    "body | text | content | message | inhalt | beitrag | nachricht | texte | contenu | texto | " +
    "contenido | mensaje | النص | المحتوى",
  replyTo: "reply to | reply to id | antwort auf | réponse à | respuesta a",
  number: "number",
  post: "post | post id",
  emoji: "emoji",
  kind: "kind",
  url: "url | link | address | lien | enlace | الرابط",
  why: "why",
  licence: "licence | license | lizenz | licencia",
  siteName: "site name",
  resource: "resource | resource id",
  oldPaths: "old paths",
  lockedAt: "locked at",
  pinnedAt: "pinned at",
  resolvedAt: "resolved at",
  archived: "archived",
};

/** The title reduced to letters and digits, in lower case and without accents. */
const plain = (title: string) =>
  title
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const FIELDS = new Map(
  Object.entries(COLUMNS).flatMap(([field, names]) =>
    names.split("|").map((name) => [plain(name), field] as const),
  ),
);

/** The field of a column, or undefined if unknown. A number distinguishes several columns of one field. */
export const fieldForColumn = (title: string): string | undefined =>
  FIELDS.get(plain(title)) ?? FIELDS.get(plain(title).replace(/\d+/g, ""));
