import type { SettingKey } from "#community/settings";
import { backgroundNames } from "../../ui/pictures/background-names.ts";
import { useTranslate } from "../../i18n/index.ts";

export type SettingLabels = {
  key: SettingKey;
  label: string;
  /** Its effect, in a sentence. */
  about: string;
  /** Input: a line, a long text, a number, yes or no, a color, a picture, or one of these options. */
  as: "line" | "text" | "number" | "switch" | "colour" | "picture" | { value: string; label: string }[];
};
type SettingsSectionLabels = { id: string; title: string; settings: SettingLabels[] };

/** Labels of all settings, by section. A test checks that none is missing. */
export function useSettingLabels(): SettingsSectionLabels[] {
  const t = useTranslate();
  return [
    { id: "place", title: t("The place"), settings: siteLabels(t) },
    { id: "entry", title: t("Coming in"), settings: registrationLabels(t) },
    { id: "guests", title: t("What guests see"), settings: guestLabels(t) },
    { id: "living", title: t("Groups and writing"), settings: communityLabels(t) },
    { id: "programs", title: t("Programs"), settings: apiLabels(t) },
    { id: "logs", title: t("Logs"), settings: logLabels(t) },
  ];
}

type TranslateText = (text: string, values?: Record<string, unknown>) => string;

const siteLabels = (t: TranslateText): SettingLabels[] => [
  { key: "name", label: t("Name"), about: t("What the community is called, on every page and in every mail."), as: "line" },
  { key: "sentence", label: t("One sentence"), about: t("What it is, for search engines and for whoever comes by."), as: "line" },
  { key: "welcome", label: t("Welcome"), about: t("What guests read on the first page. Markdown works."), as: "text" },
  {
    key: "ground",
    label: t("The ground of the front door"),
    about: t("On the first page of guests, and behind the forms for coming in."),
    as: Object.entries(backgroundNames(t)).map(([value, label]) => ({ value, label })),
  },
  {
    key: "accent",
    label: t("Colour"),
    about: t("Of links, buttons and marks, by day and by night. Where it could not be read, it grows a little darker or lighter."),
    as: "colour",
  },
  {
    key: "logo",
    label: t("Logo"),
    about: t("Before the name of the place, in tabs, and on devices that have it as an app. JPEG, PNG, WebP or GIF; best square."),
    as: "picture",
  },
  {
    key: "introductions",
    label: t("Where newcomers say hello"),
    about: t("The address of a discussion: the round for newcomers ends there. Left empty, one whose title sounds like it is looked for."),
    as: "line",
  },
  { key: "about", label: t("About us"), about: t("The story of the community, on a page of its own. Markdown works."), as: "text" },
  { key: "rules", label: t("Rules"), about: t("Members accept them once, and again after each change."), as: "text" },
  { key: "privacyText", label: t("Privacy"), about: t("What is kept here and why, in your words. Markdown works."), as: "text" },
];

const registrationLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "registration",
    label: t("New accounts"),
    about: t("Who may register."),
    as: [
      { value: "open", label: t("Everybody") },
      { value: "approval", label: t("Whoever a human lets in") },
      { value: "closed", label: t("Nobody, except by invitation") },
    ],
  },
  {
    key: "confirmAddress",
    label: t("Addresses are confirmed"),
    about: t("Off: an account is open at once, and whether an address is taken can no longer be kept secret."),
    as: "switch",
  },
  {
    key: "accountsPerAddress",
    label: t("New accounts from one network address in a day"),
    about: t("0 for any number."),
    as: "number",
  },
  {
    key: "registrationTries",
    label: t("Tries to register from one network address in half an hour"),
    about: t("0 for any number."),
    as: "number",
  },
  {
    key: "staffNeedSecondStep",
    label: t("Staff sign in with two steps"),
    about: t("Moderators and admins who have not set up the second step can do no more than members until they have."),
    as: "switch",
  },
];

const guestLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "audience",
    label: t("Who reads this place"),
    about: t("Private: guests see the welcome text and the forms, nothing else."),
    as: [
      { value: "public", label: t("Everyone, guests too") },
      { value: "private", label: t("Members of this community") },
    ],
  },
  { key: "showMemberCount", label: t("Guests see how many people are here"), about: t("On the first page."), as: "switch" },
  {
    key: "guestsSeePeople",
    label: t("What guests see of people"),
    about: t("Each person may show less of themselves, never more: the stricter of the two holds."),
    as: [
      { value: "public", label: t("What people show to everyone") },
      { value: "limited", label: t("Name and photo") },
      { value: "hidden", label: t("No profiles at all") },
    ],
  },
];

const communityLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "whoCreatesGroups",
    label: t("Who founds groups"),
    about: t("Moderators and admins may in any case."),
    as: [
      { value: "members", label: t("Everybody here") },
      { value: "established", label: t("Who has been around for a while") },
      { value: "staff", label: t("Moderators and admins") },
    ],
  },
  {
    key: "newcomersGroups",
    label: t("Groups of newcomers"),
    about: t("Whether a group of somebody new waits until it is let in."),
    as: [
      { value: "approval", label: t("Wait to be let in") },
      { value: "open", label: t("Are open at once") },
    ],
  },
  {
    key: "firstPosts",
    label: t("Look at what newcomers write first"),
    about: t(
      "What waits is read by those who look after its place alone, until one of them lets it in or gives it back. Whoever has been around for a while writes freely.",
    ),
    as: [
      { value: "off", label: t("Nothing waits") },
      { value: "links", label: t("Texts with links out of here") },
      { value: "first", label: t("Their first text, and texts with links out of here") },
      { value: "all", label: t("Everything until they have been around for a while") },
    ],
  },
  {
    key: "writingLimits",
    label: t("Limits on how fast people write"),
    about: t("Off: people write as fast and as much as they like. Those who are new have lower ones."),
    as: "switch",
  },
];

const fileAudiences = (t: TranslateText) => [
  { value: "everybody", label: t("Everybody, without an account too") },
  { value: "members", label: t("Whoever is signed in") },
  { value: "programs", label: t("Programs with the server key") },
];

const apiLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "apiDefaults",
    label: t("Defaults of the API"),
    about: t(
      "Open suits an installation that is the backend of existing apps: with the public client key, apps create users and set permissions, and signed-in people change other people's records. Settings that you have changed keep their value.",
    ),
    as: [
      { value: "careful", label: t("Careful, for a community") },
      { value: "hosted", label: t("Open, as on the hosted service") },
    ],
  },
  {
    key: "passwordRules",
    label: t("Password rules for the API"),
    about: t("Off: apps register users with any password. The rules always apply to the pages here and to staff."),
    as: "switch",
  },
  {
    key: "signInBackoff",
    label: t("Slow down sign-ins through the API after wrong passwords"),
    about: t("Off: only the number of wrong passwords that locks an account counts. Staff accounts are always protected."),
    as: "switch",
  },
  {
    key: "apiCalls",
    label: t("Calls of a program in five minutes"),
    about: t("From one session, or from one network address without one. 0 for any number."),
    as: "number",
  },
  {
    key: "apiCallsOfPerson",
    label: t("Calls in five minutes for one person"),
    about: t("With all of their programs and devices. 0 for any number."),
    as: "number",
  },
  {
    key: "tableRows",
    label: t("Records in the tables of programs"),
    about: t("In all of them together, counted every few seconds. 0 for any number."),
    as: "number",
  },
  {
    key: "tableMegabytes",
    label: t("Megabytes that the tables of programs may take"),
    about: t("With their indexes. Removing records makes room for others, and the files stay as large as they were. 0 for any number."),
    as: "number",
  },
  {
    key: "whoPublishes",
    label: t("Who says something on the channels of programs"),
    about: t("Programs that show the server key may in any case. Whoever has a key may listen."),
    as: [
      { value: "everybody", label: t("Every program that has a key") },
      { value: "members", label: t("Whoever is signed in") },
      { value: "servers", label: t("Programs on servers alone") },
    ],
  },
  {
    key: "whoShares",
    label: t("Who shares objects through programs"),
    about: t("Programs that show the server key may in any case."),
    as: [
      { value: "everybody", label: t("Every program that has a key") },
      { value: "members", label: t("Whoever is signed in") },
    ],
  },
  {
    key: "mailRoles",
    label: t("Roles that send mail through programs"),
    about: t(
      "Names of roles, one a line. Admins and programs with the server key may in any case; nobody else does where nothing stands here.",
    ),
    as: "text",
  },
  {
    key: "mailsPerHour",
    label: t("Mails that programs send in an hour"),
    about: t("All of them together; each who gets one counts. 0 for any number."),
    as: "number",
  },
  {
    key: "fileMegabytes",
    label: t("Megabytes that a file in the library may have"),
    about: t("1 to 1000. One member may store 1 GB in all."),
    as: "number",
  },
  { key: "filesReadBy", label: t("Who reads files of programs"), about: t("Where nothing else is said of a file."), as: fileAudiences(t) },
  {
    key: "filesWrittenBy",
    label: t("Who changes files of programs"),
    about: t("Where nothing else is said of a file. Members add files, and change and remove what is theirs."),
    as: fileAudiences(t),
  },
  { key: "programFileMegabytes", label: t("Megabytes that a file of a program may have"), about: t("1 to 100000."), as: "number" },
  { key: "programFilesGigabytes", label: t("Gigabytes that all files of programs may have"), about: t("1 to 100000."), as: "number" },
  { key: "programFilesMost", label: t("How many files programs may keep"), about: t("With their directories: 1 to 100000."), as: "number" },
  {
    key: "severalLogins",
    label: t("Several programs at once"),
    about: t("Off: whoever signs in with a program is signed out of the one before. Browsers on these pages do not count."),
    as: "switch",
  },
  {
    key: "newLoginWins",
    label: t("The newer sign-in holds"),
    about: t("Off: where only one program may be signed in, a second one is refused until the first has signed out."),
    as: "switch",
  },
  {
    key: "mostLogins",
    label: t("Programs one person is signed in with"),
    about: t("Where several may be. 0 for any number."),
    as: "number",
  },
  {
    key: "wrongPasswordsLock",
    label: t("Wrong passwords that lock an account"),
    about: t("In a row, on these pages and in programs. 0: none do. Whoever knows a name can lock its owner out."),
    as: "number",
  },
  { key: "lockMinutes", label: t("Minutes until it opens again"), about: t("0: until somebody opens it."), as: "number" },
  {
    key: "signInOrigins",
    label: t("Pages elsewhere that people sign in on"),
    about: t("Origins such as https://app.example.org, one a line. Only these learn who came from another house."),
    as: "text",
  },
  {
    key: "purchaseGrants",
    label: t("What purchases give"),
    about: t(
      "A line for each: package, product, role or group, and its name. While a purchase in Google Play holds, whoever has bought it has that.",
    ),
    as: "text",
  },
];

const logLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "logLevel",
    label: t("Lines of logs that are kept"),
    about: t("What is less important than this is thrown away as it comes. Clients ask for it, and do not send it."),
    as: [
      { value: "all", label: t("All of them") },
      { value: "debug", label: t("Debug and worse") },
      { value: "info", label: t("Information and worse") },
      { value: "warn", label: t("Warnings and worse") },
      { value: "error", label: t("Errors and worse") },
      { value: "fatal", label: t("Only what ended a program") },
      { value: "off", label: t("None") },
    ],
  },
  {
    key: "logLevels",
    label: t("Loggers of which less is kept"),
    about: t(
      "A name and a level, one a line, such as: browser = warn. The levels are off, fatal, error, warn, info, debug, trace and all.",
    ),
    as: "text",
  },
  { key: "logDays", label: t("Days for which lines of logs are kept"), about: t("1 to 365."), as: "number" },
];
