import type { SettingLabels, TranslateText } from "./setting-labels.ts";

const fileAudiences = (t: TranslateText) => [
  { value: "everybody", label: t("Everyone, including guests") },
  { value: "members", label: t("Everyone who is signed in") },
  { value: "programs", label: t("API clients with the server key") },
];

/** Labels of the settings for API clients: their permissions, files, sign-ins and purchases. */
export const apiLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "apiDefaults",
    label: t("Defaults of the API"),
    about: t(
      "“Open” suits an installation that is the backend of existing apps: with the public " +
        "client key, apps can create users and set permissions, and signed-in people can change " +
        "other people's records. Settings that you have changed keep their value.",
    ),
    as: [
      { value: "careful", label: t("Strict, for a community") },
      { value: "hosted", label: t("Open, as on the hosted service") },
    ],
  },
  {
    key: "passwordRules",
    label: t("Password rules for the API"),
    about: t(
      "When off, apps can register users with any password. " +
        "The password rules still apply on this website and to staff.",
    ),
    as: "switch",
  },
  {
    key: "signInBackoff",
    label: t("Slow down sign-ins through the API after wrong passwords"),
    about: t(
      "When off, wrong passwords only lock an account at the lockout threshold. Staff accounts " +
        "are always protected.",
    ),
    as: "switch",
  },
  {
    key: "mcpServer",
    label: t("MCP server for AI assistants"),
    about: t(
      "Members connect assistants with their access tokens. An assistant can do no more than its token.",
    ),
    as: "switch",
  },
  {
    key: "apiCalls",
    label: t("API requests per 5 minutes"),
    about: t("Per session, or per network address if there is no session. 0 = unlimited."),
    as: "number",
  },
  {
    key: "apiCallsOfPerson",
    label: t("API requests per 5 minutes and person"),
    about: t("Counts all API clients and devices of a person. 0 = unlimited."),
    as: "number",
  },
  {
    key: "tableRows",
    label: t("Maximum number of data table records"),
    about: t("In all tables together. 0 = unlimited."),
    as: "number",
  },
  {
    key: "tableMegabytes",
    label: t("Data table size limit, in MB"),
    about: t(
      "Including indexes. Deleting records makes room for others but does not shrink files. 0 = unlimited.",
    ),
    as: "number",
  },
  {
    key: "whoPublishes",
    label: t("Who can publish on API channels"),
    about: t("API clients with the server key can always publish. Anyone with a key can listen."),
    as: [
      { value: "everybody", label: t("Every API client") },
      { value: "members", label: t("Everyone who is signed in") },
      { value: "servers", label: t("Server-side API clients only") },
    ],
  },
  {
    key: "whoShares",
    label: t("Who can use shared objects"),
    about: t("API clients with the server key always have this permission."),
    as: [
      { value: "everybody", label: t("Every API client") },
      { value: "members", label: t("Everyone who is signed in") },
    ],
  },
  {
    key: "mailRoles",
    label: t("Roles that can send API emails"),
    about: t(
      "Role names, one per line. Admins and API clients with the server key always have this " +
        "permission. If empty, nobody else has it.",
    ),
    as: "text",
  },
  {
    key: "mailsPerHour",
    label: t("API emails per hour"),
    about: t("All API clients together; each recipient counts. 0 = unlimited."),
    as: "number",
  },
  {
    key: "fileMegabytes",
    label: t("Library file size limit, in MB"),
    about: t("1 to 1000. A member can store 1 GB in total."),
    as: "number",
  },
  {
    key: "filesReadBy",
    label: t("Who can read API files"),
    about: t("Files with their own permissions are not affected."),
    as: fileAudiences(t),
  },
  {
    key: "filesWrittenBy",
    label: t("Who can change API files"),
    about: t(
      "Members can add files and change their own. Files with their own permissions are not affected.",
    ),
    as: fileAudiences(t),
  },
  {
    key: "programFileMegabytes",
    label: t("API file size limit, in MB"),
    about: t("1 to 100000."),
    as: "number",
  },
  {
    key: "programFilesGigabytes",
    label: t("Storage for API files, in GB"),
    about: t("1 to 100000."),
    as: "number",
  },
  {
    key: "programFilesMost",
    label: t("Maximum number of API files"),
    about: t("Including directories: 1 to 100000."),
    as: "number",
  },
  {
    key: "severalLogins",
    label: t("Several API sign-ins per person"),
    about: t("When off, signing in with an API client ends the earlier sign-in. Browsers do not count."),
    as: "switch",
  },
  {
    key: "newLoginWins",
    label: t("The newest sign-in ends the others"),
    about: t("When off and only one sign-in is allowed, a second is refused until the first signs out."),
    as: "switch",
  },
  {
    key: "mostLogins",
    label: t("API sign-ins per person"),
    about: t("Applies only if several sign-ins are allowed. 0 = unlimited."),
    as: "number",
  },
  {
    key: "wrongPasswordsLock",
    label: t("Lockout threshold"),
    about: t(
      "Number of wrong passwords in a row, on the site and through the API. 0 = never. Anyone " +
        "who knows a username can lock that account.",
    ),
    as: "number",
  },
  {
    key: "lockMinutes",
    label: t("Minutes until an account unlocks"),
    about: t("0 = until it is unlocked."),
    as: "number",
  },
  {
    key: "signInOrigins",
    label: t("Allowed sign-in origins"),
    about: t(
      "Origins such as https://app.example.org, one per line. Only these can use sign-in providers through the API.",
    ),
    as: "text",
  },
  {
    key: "purchaseGrants",
    label: t("Purchases"),
    about: t(
      "One per line: app package, product, “role” or “group”, and its name. Buyers have this " +
        "role or membership while their Google Play purchase is valid.",
    ),
    as: "text",
  },
];
