import type { SettingLabels, TranslateText } from "./setting-labels.ts";

const fileAudiences = (t: TranslateText) => [
  { value: "everybody", label: t("Everybody, without an account too") },
  { value: "members", label: t("Whoever is signed in") },
  { value: "programs", label: t("Programs with the server key") },
];

/** Labels of what API clients may do, and of their files, sign-ins and purchases. */
export const apiLabels = (t: TranslateText): SettingLabels[] => [
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
