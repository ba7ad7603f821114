import type { SettingKey } from "#community/settings";
import { backgroundNames } from "../../ui/pictures/background-names.ts";
import { useTranslate } from "../../i18n/index.ts";
import { apiLabels } from "./api-setting-labels.ts";

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

export type TranslateText = (text: string, values?: Record<string, unknown>) => string;

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
