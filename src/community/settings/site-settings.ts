import { z } from "zod";
import { isId } from "#platform/ids";
import { HEADER_STYLES } from "#community/common";
import { APPROVAL_MODES, LIMITS, REPORT_CATEGORIES, SITE_RULE_LIMITS } from "#community/rules";
import { isColour, isReadableAccent } from "./accent-colour.ts";

/** Rejects what PostgreSQL cannot store: NUL and lone surrogates. */
const textField = (most: number) =>
  z
    .string()
    .transform((it) => it.replaceAll("\0", "").toWellFormed().trim())
    .pipe(z.string().max(most, "At most {count, number} characters."));
const countField = z
  .int("Enter a whole number.")
  .min(0, "Enter 0 or more.")
  .max(100_000, "Enter 100000 or less.");

/** Log levels of API clients, from nothing to everything. */
const LOG_LEVELS = ["off", "fatal", "error", "warn", "info", "debug", "all"] as const;
const LOGGER_LEVEL = new RegExp(`^\\s*\\S.{0,199}=\\s*(?:trace|${LOG_LEVELS.join("|")})\\s*$`);

const API_DEFAULTS = ["careful", "hosted"] as const;
const FILE_AUDIENCES = ["everybody", "members", "programs"] as const;
const GUEST_VISIBILITIES = ["public", "limited", "hidden"] as const;

const splitLines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** Grant for the purchase of a store product: a role by name, or a group membership by slug. */
export type PurchaseGrant = { packageName: string; product: string; kind: "role" | "group"; name: string };

/** Parses the setting `purchaseGrants`; invalid lines are skipped. */
export const parsePurchaseGrants = (lines: string): PurchaseGrant[] =>
  splitLines(lines).flatMap((line) => {
    const [packageName, product, kind, name, ...more] = line.trim().split(/\s+/);
    return packageName && product && (kind === "role" || kind === "group") && name && more.length === 0
      ? [{ packageName, product, kind, name }]
      : [];
  });

/** Id of the discussion in the setting `introductions`; null if there is none. */
export const parseIntroductionsAddress = (address: string): string | null =>
  /\/discussions\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/.exec(address)?.[1] ?? null;

/** Roles in the setting `mailRoles`. */
export const parseMailRoles = (lines: string): string[] => splitLines(lines).map((line) => line.trim());

/** Settings that an admin may change. The keys are those of the table. */
const SettingsFields = z.strictObject({
  name: textField(60).refine((name) => name !== "", "Give the community a name."),
  /** A one-sentence description of the community. */
  sentence: textField(200),
  welcome: textField(10_000),
  /** Background of the start page: one of the header styles of groups and people. */
  ground: z.enum(HEADER_STYLES),
  /** Colour of links, buttons and marks; `createAccent` derives the shades. */
  accent: textField(7)
    .transform((it) => it.toLowerCase())
    .refine(isColour, "Enter a colour such as #0b6b5d.")
    .refine(isReadableAccent, "This colour is not readable, even when darkened. Choose a stronger one."),
  /** Upload id of the logo, set by `setLogo`; empty for none. */
  logo: textField(36).refine((it) => it === "" || isId(it), "Choose a picture first."),
  /**
   * Address of the discussion where new members introduce themselves. The welcome tour ends with a link to
   * it.
   */
  introductions: textField(500).refine(
    (it) => it === "" || parseIntroductionsAddress(it) !== null,
    "Give the address of a discussion.",
  ),
  /** Whether admins see on their home page what is left to set up. On in a new community. */
  setupChecklist: z.boolean(),
  /** The community's story, for its about page. */
  about: textField(20_000),
  rules: textField(20_000),
  /** Increases with each change of the rules: members accept a version. */
  rulesVersion: z.int().min(1),
  privacyText: textField(20_000),
  /** Email address or page for people who cannot register; empty for none. */
  contact: textField(200),
  registration: z.enum(["open", "approval", "closed"]),
  /** If off, accounts open at once, and registration reveals whether an address is taken. */
  confirmAddress: z.boolean(),
  /** Private: guests see the welcome text and the forms, nothing else. */
  audience: z.enum(["public", "private"]),
  showMemberCount: z.boolean(),
  /**
   * Parts of profiles visible to guests: nothing, name and photo, or what the owner of each profile allows. The
   * stricter of setting and owner applies.
   */
  guestsSeePeople: z.enum(GUEST_VISIBILITIES),
  /** Roles that may create groups. Staff always may. */
  whoCreatesGroups: z.enum(["established", "members", "staff"]),
  /** Groups of new members wait for approval by staff. */
  newcomersGroups: z.enum(["open", "approval"]),
  /** Content of new members that needs approval. */
  firstPosts: z.enum(APPROVAL_MODES),
  /**
   * If on, staff have only a member's permissions until they set up two-factor sign-in, and cannot disable
   * it.
   */
  staffNeedSecondStep: z.boolean(),
  /** Maximum number of new accounts per network address and day; 0 for unlimited. */
  accountsPerAddress: countField,
  /** Maximum number of registration attempts per network address in half an hour; 0 for unlimited. */
  registrationTries: countField,
  /** Whether the browser solves a small task before a registration is sent. */
  proofForRegistration: z.boolean(),
  /** Whether the browser of a guest does so before a report is sent. */
  proofForReports: z.boolean(),
  /** If off, there are no limits on how fast and how much people write. */
  writingLimits: z.boolean(),
  /**
   * Openness of the API before configuration: `hosted` is like the service that its clients were made for,
   * see `defaultSettingsFor`.
   */
  apiDefaults: z.enum(API_DEFAULTS),
  /** If off, API clients may register accounts with any password. Pages always apply the rules. */
  passwordRules: z.boolean(),
  /**
   * If off, there are no pauses after wrong passwords when members sign in through the API;
   * `wrongPasswordsLock` still counts.
   */
  signInBackoff: z.boolean(),
  /** Whether assistants and other MCP clients may connect, with access tokens of members. */
  mcpServer: z.boolean(),
  /** Maximum number of API requests in five minutes per session or address; 0 for unlimited. */
  apiCalls: countField,
  /** Maximum number of API requests in five minutes per person; 0 for unlimited. */
  apiCallsOfPerson: countField,
  /** Maximum number of records of all data tables together; 0 for unlimited. */
  tableRows: z
    .int("Enter a whole number.")
    .min(0, "Enter 0 or more.")
    .max(1_000_000_000, "Enter 1000000000 or less."),
  /** Maximum size of all data tables together, in megabytes; 0 for unlimited. */
  tableMegabytes: z
    .int("Enter a whole number.")
    .min(0, "Enter 0 or more.")
    .max(10_000_000, "Enter 10000000 or less."),
  /** Callers that may publish to API channels: anyone with a key, signed-in people, or clients with the server key. */
  whoPublishes: z.enum(["everybody", "members", "servers"]),
  /** Callers that may use shared objects: anyone with a key, or signed-in people. */
  whoShares: z.enum(["everybody", "members"]),
  /** Roles that may send email through the API, one per line; admins and the server key always may. */
  mailRoles: textField(4_000),
  /** Maximum number of emails through the API per hour in total; 0 for unlimited. */
  mailsPerHour: countField,
  /** Maximum megabytes of a library file. */
  fileMegabytes: z.int("Enter a whole number.").min(1, "Enter 1 or more.").max(1_000, "Enter 1000 or less."),
  /** Callers that may read and write API files by default. The server key always has access. */
  filesReadBy: z.enum(FILE_AUDIENCES),
  filesWrittenBy: z.enum(FILE_AUDIENCES),
  /** Maximum megabytes of an API file. */
  programFileMegabytes: z
    .int("Enter a whole number.")
    .min(1, "Enter 1 or more.")
    .max(100_000, "Enter 100000 or less."),
  /** Maximum gigabytes of all API files together. */
  programFilesGigabytes: z
    .int("Enter a whole number.")
    .min(1, "Enter 1 or more.")
    .max(100_000, "Enter 100000 or less."),
  /** Maximum number of API files, directories included. */
  programFilesMost: z
    .int("Enter a whole number.")
    .min(1, "Enter 1 or more.")
    .max(100_000, "Enter 100000 or less."),
  /**
   * If off, a new API sign-in ends the person's previous session. If the first session has precedence, the
   * new sign-in is refused instead.
   */
  severalLogins: z.boolean(),
  newLoginWins: z.boolean(),
  /** Maximum number of API sessions per person, if several are allowed; 0 for unlimited. */
  mostLogins: countField,
  /** Number of consecutive wrong passwords that lock an account; 0 for never. */
  wrongPasswordsLock: countField,
  /** Minutes until a locked account unlocks; 0 for only by hand. */
  lockMinutes: countField,
  /** Origins of other pages that receive the result of a provider sign-in; one per line. */
  signInOrigins: textField(4_000),
  /** Benefits of purchases, one per line: package, product, `role` or `group`, and its name. */
  purchaseGrants: textField(10_000).refine(
    (lines) => parsePurchaseGrants(lines).length === splitLines(lines).length,
    "Each line must be: package product role Name, or: package product group address.",
  ),
  /** Level up to which log messages are stored; for single loggers `name = level`, one per line. */
  logLevel: z.enum(LOG_LEVELS),
  logLevels: textField(4_000).refine(
    (lines) => lines.split("\n").every((line) => line.trim() === "" || LOGGER_LEVEL.test(line)),
    "Write one logger per line, such as: browser = warn.",
  ),
  /**
   * Categories of reports, in the order of the form; an empty name stands for the translated default. Changed
   * by the commands of `#community/moderation`.
   */
  reportCategories: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]{1,40}$/),
        name: textField(LIMITS.reportCategories.name),
        off: z.boolean(),
      }),
    )
    .max(LIMITS.reportCategories.count),
  /**
   * Rules of the community that decisions cite, in their order; decisions keep the text as it was. Changed by
   * the commands of `#community/moderation`.
   */
  siteRules: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]{1,40}$/),
        text: textField(SITE_RULE_LIMITS.text),
        isRetired: z.boolean(),
      }),
    )
    .max(SITE_RULE_LIMITS.count),
  /** Days until log messages are deleted. */
  logDays: z.int("Enter a whole number.").min(1, "Enter 1 or more.").max(365, "Enter 365 or less."),
});

export type SiteSettings = z.output<typeof SettingsFields>;

export const defaultSettings: SiteSettings = {
  name: "Kith",
  sentence: "A home for our community.",
  welcome: "",
  ground: "meadow",
  accent: "#0b6b5d",
  logo: "",
  introductions: "",
  setupChecklist: false,
  about: "",
  rules: "1. Be kind.\n2. Stay on the subject.\n3. What is said here in private stays here.",
  rulesVersion: 1,
  privacyText: "",
  contact: "",
  registration: "open",
  confirmAddress: true,
  audience: "public",
  showMemberCount: true,
  guestsSeePeople: "public",
  whoCreatesGroups: "established",
  newcomersGroups: "approval",
  firstPosts: "off",
  staffNeedSecondStep: false,
  accountsPerAddress: 3,
  registrationTries: 5,
  proofForRegistration: false,
  proofForReports: true,
  writingLimits: true,
  apiDefaults: "careful",
  passwordRules: true,
  signInBackoff: true,
  mcpServer: true,
  apiCalls: 300,
  apiCallsOfPerson: 1_500,
  tableRows: 5_000_000,
  tableMegabytes: 5_000,
  whoPublishes: "everybody",
  whoShares: "everybody",
  mailRoles: "",
  mailsPerHour: 500,
  fileMegabytes: 25,
  filesReadBy: "everybody",
  filesWrittenBy: "programs",
  programFileMegabytes: 100,
  programFilesGigabytes: 10,
  programFilesMost: 100_000,
  severalLogins: false,
  newLoginWins: true,
  mostLogins: 0,
  wrongPasswordsLock: 0,
  lockMinutes: 15,
  signInOrigins: "",
  purchaseGrants: "",
  logLevel: "all",
  logLevels: "",
  reportCategories: REPORT_CATEGORIES.map((id) => ({ id, name: "", off: false })),
  siteRules: [],
  logDays: 14,
};

/** A change contains only changed settings. The rules version cannot be set: it is counted. */
export const SettingsChange = SettingsFields.omit({ rulesVersion: true }).partial();
export const StoredSettings = SettingsFields.partial().loose();
