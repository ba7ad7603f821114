import type { SettingKey } from "#community/settings";
import { backgroundNames } from "../../ui/pictures/background-names.ts";
import { useTranslate } from "../../i18n/index.ts";
import { apiLabels } from "./api-setting-labels.ts";

export type SettingLabels = {
  key: SettingKey;
  label: string;
  /** The effect of the setting, in one sentence. */
  about: string;
  /**
   * Kind of input: one line, a long text, a number, a switch, a color, a picture, or a choice of these
   * options.
   */
  as: "line" | "text" | "number" | "switch" | "colour" | "picture" | { value: string; label: string }[];
};
type SettingsSectionLabels = { id: string; title: string; settings: SettingLabels[] };

/** Labels of all settings, by section. A test checks that each setting has one. */
export function useSettingLabels(): SettingsSectionLabels[] {
  const t = useTranslate();
  return [
    { id: "place", title: t("Site"), settings: siteLabels(t) },
    { id: "entry", title: t("Registration and sign-in"), settings: registrationLabels(t) },
    { id: "guests", title: t("Visibility for guests"), settings: guestLabels(t) },
    { id: "living", title: t("Groups and posting"), settings: communityLabels(t) },
    { id: "programs", title: t("API"), settings: apiLabels(t) },
    { id: "logs", title: t("Logs"), settings: logLabels(t) },
  ];
}

export type TranslateText = (text: string, values?: Record<string, unknown>) => string;

const siteLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "name",
    label: t("Name"),
    about: t("The community's name, on every page and in every email."),
    as: "line",
  },
  {
    key: "sentence",
    label: t("Tagline"),
    about: t("Describes the community to search engines and visitors."),
    as: "line",
  },
  {
    key: "welcome",
    label: t("Welcome text"),
    about: t("Shown to guests on the home page. Markdown works."),
    as: "text",
  },
  {
    key: "ground",
    label: t("Sign-in cover"),
    about: t("Shown on the home page of guests and behind the sign-in forms."),
    as: Object.entries(backgroundNames(t)).map(([value, label]) => ({ value, label })),
  },
  {
    key: "accent",
    label: t("Accent colour"),
    about: t(
      "For links, buttons and icons in light and dark mode. The colour is adjusted where it " +
        "would not be readable.",
    ),
    as: "colour",
  },
  {
    key: "logo",
    label: t("Logo"),
    about: t(
      "Shown before the community's name, in tabs and as app icon. JPEG, PNG, WebP or GIF, best square.",
    ),
    as: "picture",
  },
  {
    key: "introductions",
    label: t("Introductions discussion"),
    about: t(
      "Link to the discussion that new members see after the welcome pages. If empty, it is " +
        "found by its title.",
    ),
    as: "line",
  },
  {
    key: "setupChecklist",
    label: t("Set-up checklist"),
    about: t("Shows admins on their home page what is left to set up."),
    as: "switch",
  },
  {
    key: "about",
    label: t("About page"),
    about: t("The community's story, on its own page. Markdown works."),
    as: "text",
  },
  {
    key: "rules",
    label: t("Rules"),
    about: t("Members accept them once, and again after each change."),
    as: "text",
  },
  {
    key: "privacyText",
    label: t("Privacy"),
    about: t("The privacy policy, in your words. Markdown works."),
    as: "text",
  },
];

const registrationLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "registration",
    label: t("Registration"),
    about: t("Who can register."),
    as: [
      { value: "open", label: t("Everyone") },
      { value: "approval", label: t("With approval") },
      { value: "closed", label: t("Invite only") },
    ],
  },
  {
    key: "contact",
    label: t("Contact"),
    about: t("Email address or page for people who cannot register, for example because they are blocked."),
    as: "line",
  },
  {
    key: "confirmAddress",
    label: t("Email confirmation"),
    about: t(
      "When off, accounts are active at once, and anyone can find out whether an address has an " +
        "account.",
    ),
    as: "switch",
  },
  {
    key: "accountsPerAddress",
    label: t("New accounts per network address and day"),
    about: t("0 = unlimited."),
    as: "number",
  },
  {
    key: "registrationTries",
    label: t("Registration attempts per network address and half hour"),
    about: t("0 = unlimited."),
    as: "number",
  },
  {
    key: "proofForRegistration",
    label: t("Proof of work for registrations"),
    about: t(
      "The browser computes for about a second before the form is sent, which makes spam expensive. " +
        "Registrations without it wait for approval.",
    ),
    as: "switch",
  },
  {
    key: "staffNeedSecondStep",
    label: t("Two-factor authentication for staff"),
    about: t("Moderators and admins without a second factor have the rights of members."),
    as: "switch",
  },
];

const guestLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "audience",
    label: t("Public or private"),
    about: t("Private: guests see only the welcome text and the sign-in forms."),
    as: [
      { value: "public", label: t("Everyone, including guests") },
      { value: "private", label: t("Members of this community") },
    ],
  },
  {
    key: "showMemberCount",
    label: t("Show guests the number of members"),
    about: t("The number is shown on the home page."),
    as: "switch",
  },
  {
    key: "guestsSeePeople",
    label: t("Profile visibility for guests"),
    about: t("People can show less of themselves, never more."),
    as: [
      { value: "public", label: t("What people show to everyone") },
      { value: "limited", label: t("Name and photo") },
      { value: "hidden", label: t("No profiles") },
    ],
  },
  {
    key: "proofForReports",
    label: t("Proof of work for reports by guests"),
    about: t(
      "The browser of a guest computes for about a second before a report is sent. Without it, fewer " +
        "reports are accepted.",
    ),
    as: "switch",
  },
];

const communityLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "whoCreatesGroups",
    label: t("Who can create groups"),
    about: t("Moderators and admins always have this permission."),
    as: [
      { value: "members", label: t("All members") },
      { value: "established", label: t("Established members") },
      { value: "staff", label: t("Moderators and admins") },
    ],
  },
  {
    key: "newcomersGroups",
    label: t("Groups of new members"),
    about: t("Whether groups of new members need approval."),
    as: [
      { value: "approval", label: t("Require approval") },
      { value: "open", label: t("No approval") },
    ],
  },
  {
    key: "firstPosts",
    label: t("Approve first posts"),
    about: t(
      "Pending posts, events, resources and profile texts with links are visible to moderators only until approved or returned. Established members post directly.",
    ),
    as: [
      { value: "off", label: t("No approval") },
      { value: "links", label: t("Posts with external links") },
      { value: "first", label: t("First posts, and posts with external links") },
      { value: "all", label: t("All posts of new members") },
    ],
  },
  {
    key: "writingLimits",
    label: t("Rate limits"),
    about: t("Limits how fast people post; new members have lower limits. When off, there are no limits."),
    as: "switch",
  },
];

const logLabels = (t: TranslateText): SettingLabels[] => [
  {
    key: "logLevel",
    label: t("Log level"),
    about: t("Less important entries are neither sent by clients nor stored."),
    as: [
      { value: "all", label: t("All") },
      { value: "debug", label: t("Debug and above") },
      { value: "info", label: t("Info and above") },
      { value: "warn", label: t("Warnings and above") },
      { value: "error", label: t("Errors and above") },
      { value: "fatal", label: t("Fatal only") },
      { value: "off", label: t("None") },
    ],
  },
  {
    key: "logLevels",
    label: t("Levels of single loggers"),
    about: t(
      "A logger and a level, one per line, such as: browser = warn. Levels: off, fatal, error, warn, " +
        "info, debug, trace, all.",
    ),
    as: "text",
  },
  { key: "logDays", label: t("Log retention in days"), about: t("1 to 365."), as: "number" },
];
