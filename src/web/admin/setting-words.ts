import type { SettingKey } from "#community/settings";
import { useWords } from "../words/index.ts";

export type SettingWords = {
  key: SettingKey;
  label: string;
  /** What follows from it, in a sentence. */
  about: string;
  /** How it is given: a line, a long text, a number, yes or no, or one of these. */
  as: "line" | "text" | "number" | "switch" | { value: string; label: string }[];
};
type Part = { id: string; title: string; settings: SettingWords[] };

/** Every setting in words, by what it is about. A test looks whether one is missing. */
export function useSettingWords(): Part[] {
  const t = useWords();
  return [
    { id: "place", title: t("The place"), settings: placeWords(t) },
    { id: "entry", title: t("Coming in"), settings: entryWords(t) },
    { id: "guests", title: t("What guests see"), settings: guestWords(t) },
    { id: "living", title: t("Groups and writing"), settings: livingWords(t) },
  ];
}

type T = (text: string, values?: Record<string, unknown>) => string;

const placeWords = (t: T): SettingWords[] => [
  { key: "name", label: t("Name"), about: t("What the community is called, on every page and in every mail."), as: "line" },
  { key: "sentence", label: t("One sentence"), about: t("What it is, for search engines and for whoever comes by."), as: "line" },
  { key: "welcome", label: t("Welcome"), about: t("What guests read on the first page. Markdown works."), as: "text" },
  { key: "about", label: t("About us"), about: t("The story of the community, on a page of its own. Markdown works."), as: "text" },
  { key: "rules", label: t("Rules"), about: t("Members accept them once, and again after each change."), as: "text" },
  { key: "privacyText", label: t("Privacy"), about: t("What is kept here and why, in your words. Markdown works."), as: "text" },
];

const entryWords = (t: T): SettingWords[] => [
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
    about: t("Moderators and admins cannot switch their second step off once it is on."),
    as: "switch",
  },
];

const guestWords = (t: T): SettingWords[] => [
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

const livingWords = (t: T): SettingWords[] => [
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
    key: "writingLimits",
    label: t("Limits on how fast people write"),
    about: t("Off: people write as fast and as much as they like. Those who are new have lower ones."),
    as: "switch",
  },
  {
    key: "dynamicSchema",
    label: t("Programs make tables by saving"),
    about: t("Whether an unknown column or table of a program is made when something is first saved in it."),
    as: [
      { value: "", label: t("As the environment says") },
      { value: "on", label: t("Yes") },
      { value: "off", label: t("No") },
    ],
  },
];
