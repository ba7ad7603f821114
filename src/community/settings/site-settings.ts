import { z } from "zod";
import { isId } from "#platform/ids";
import { HEADER_STYLES } from "#community/common";
import { FIRST_LOOKS } from "#community/rules";
import { isColour, isReadable } from "./accent.ts";

/** As the database can keep it: without NUL and halves of characters. */
const text = (most: number) =>
  z
    .string()
    .transform((it) => it.replaceAll("\0", "").toWellFormed().trim())
    .pipe(z.string().max(most, `Please keep it under ${most} characters.`));
const count = z.int("Give a whole number.").min(0, "Give 0 or more.").max(100_000, "Give 100000 or less.");

/** Levels of a program's log, from what is never kept to everything. */
const LOG_LEVELS = ["off", "fatal", "error", "warn", "info", "debug", "all"] as const;
const LOGGER_LINE = new RegExp(`^\\s*\\S.{0,199}=\\s*(?:trace|${LOG_LEVELS.join("|")})\\s*$`);

const API_DEFAULTS = ["careful", "hosted"] as const;
const FILE_AUDIENCES = ["everybody", "members", "programs"] as const;
const GUESTS_SEE = ["public", "limited", "hidden"] as const;

const linesIn = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** What a product of a store stands for: a role by its name, a place in a group by its address. */
export type PurchaseGrant = { packageName: string; product: string; kind: "role" | "group"; name: string };

/** Reads the lines of the setting `purchaseGrants`; what is no such line is passed over. */
export const purchaseGrantsIn = (lines: string): PurchaseGrant[] =>
  linesIn(lines).flatMap((line) => {
    const [packageName, product, kind, name, ...more] = line.trim().split(/\s+/);
    return packageName && product && (kind === "role" || kind === "group") && name && more.length === 0
      ? [{ packageName, product, kind, name }]
      : [];
  });

/** The discussion that the setting `introductions` names by its address; null where it names none. */
export const introductionsIn = (address: string): string | null =>
  /\/discussions\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/.exec(address)?.[1] ?? null;

/** The roles that the setting `mailRoles` names. */
export const mailRolesIn = (lines: string): string[] => linesIn(lines).map((line) => line.trim());

/** What an admin may set. The keys are those of the table. */
const Fields = z.strictObject({
  name: text(60).refine((name) => name !== "", "Give the community a name."),
  /** One sentence on what this community is. */
  sentence: text(200),
  welcome: text(10_000),
  /** What stands behind the front door: one of the grounds that groups and people have. */
  ground: z.enum(HEADER_STYLES),
  /** The colour of links, buttons and marks; `accentOf` makes the shades of it that are shown. */
  accent: text(7)
    .transform((it) => it.toLowerCase())
    .refine(isColour, "Give a colour, such as #0b6b5d.")
    .refine(isReadable, "That colour could not be read on paper, not even darkened. Choose a stronger one."),
  /** Which picture is the logo, set by `setLogo`; empty: there is none. */
  logo: text(36).refine((it) => it === "" || isId(it), "Choose a picture first."),
  /** The address of the discussion in which newcomers say hello: their round ends there. */
  introductions: text(500).refine((it) => it === "" || introductionsIn(it) !== null, "Give the address of a discussion."),
  /** The story of the community, for its page about itself. */
  about: text(20_000),
  rules: text(20_000),
  /** Counts up with each change of the rules: members accept a version. */
  rulesVersion: z.int().min(1),
  privacyText: text(20_000),
  registration: z.enum(["open", "approval", "closed"]),
  /** Off: an account is open at once, and whether an address is taken can no longer be kept secret. */
  confirmAddress: z.boolean(),
  /** Private: guests see the welcome text and the forms, nothing else. */
  audience: z.enum(["public", "private"]),
  showMemberCount: z.boolean(),
  /** Profiles, for guests: not at all, by name and photo, or as far as their owners want; the stricter wins. */
  guestsSeePeople: z.enum(GUESTS_SEE),
  /** Staff may in any case. */
  whoCreatesGroups: z.enum(["established", "members", "staff"]),
  /** Groups of people who are new here wait until staff let them in. */
  newcomersGroups: z.enum(["open", "approval"]),
  /** What of newcomers' texts somebody looks at before others read it. */
  firstPosts: z.enum(FIRST_LOOKS),
  /** Staff may do no more than members before they have set up the second step, and cannot switch it off. */
  staffNeedSecondStep: z.boolean(),
  /** New accounts from one network address in a day, and tries in half an hour; 0 for any number. */
  accountsPerAddress: count,
  registrationTries: count,
  /** Off: people write as fast and as much as they like. */
  writingLimits: z.boolean(),
  /** How open the API is before anything is configured: `hosted` as the service that its clients were made for, see `defaultsWith`. */
  apiDefaults: z.enum(API_DEFAULTS),
  /** Off: API clients register with any password. On the pages, the rules hold in any case. */
  passwordRules: z.boolean(),
  /** Off: sign-ins of members through the API are not slowed down after wrong passwords; `wrongPasswordsLock` still counts. */
  signInBackoff: z.boolean(),
  /** Calls of programs in five minutes, by one session or address, and by one person; 0 for any number. */
  apiCalls: count,
  apiCallsOfPerson: count,
  /** Records of all tables of programs together, and the megabytes they take; 0 for any number. */
  tableRows: z.int("Give a whole number.").min(0, "Give 0 or more.").max(1_000_000_000, "Give 1000000000 or less."),
  tableMegabytes: z.int("Give a whole number.").min(0, "Give 0 or more.").max(10_000_000, "Give 10000000 or less."),
  /** Who says something on the channels of programs: whoever has a key, who is signed in, or programs with the server key. */
  whoPublishes: z.enum(["everybody", "members", "servers"]),
  /** Who shares objects: whoever has a key, or who is signed in. */
  whoShares: z.enum(["everybody", "members"]),
  /** Roles whose people send mail through programs, one a line; admins and the server key always may. */
  mailRoles: text(4_000),
  /** Mails that programs send in an hour, all of them together; 0 for any number. */
  mailsPerHour: count,
  /** Megabytes that a file in the library may have. */
  fileMegabytes: z.int("Give a whole number.").min(1, "Give 1 or more.").max(1_000, "Give 1000 or less."),
  /** Who reads and who changes files of programs where nothing else is said of them; the server key always may. */
  filesReadBy: z.enum(FILE_AUDIENCES),
  filesWrittenBy: z.enum(FILE_AUDIENCES),
  /** Megabytes that one of them may have, gigabytes of all of them, and how many there may be, directories included. */
  programFileMegabytes: z.int("Give a whole number.").min(1, "Give 1 or more.").max(100_000, "Give 100000 or less."),
  programFilesGigabytes: z.int("Give a whole number.").min(1, "Give 1 or more.").max(100_000, "Give 100000 or less."),
  programFilesMost: z.int("Give a whole number.").min(1, "Give 1 or more.").max(100_000, "Give 100000 or less."),
  /** Off: whoever signs in with a program ends the session they had with another, or is refused where the first is to stay. */
  severalLogins: z.boolean(),
  newLoginWins: z.boolean(),
  /** Sessions of one person with programs, where there may be several; 0 for any number. */
  mostLogins: count,
  /** Wrong passwords in a row that lock an account, and minutes until it opens again; 0: none do, and by hand alone. */
  wrongPasswordsLock: count,
  lockMinutes: count,
  /** Origins of pages, besides our own, that are told who came from another house; one a line. */
  signInOrigins: text(4_000),
  /** What purchases give: a line each, of the package, the product, `role` or `group`, and its name. */
  purchaseGrants: text(10_000).refine(
    (lines) => purchaseGrantsIn(lines).length === linesIn(lines).length,
    "Each line is: package product role Name, or: package product group address.",
  ),
  /** Lines of programs' logs that are kept: up to this level, and of single loggers, `name = level`, one a line. */
  logLevel: z.enum(LOG_LEVELS),
  logLevels: text(4_000).refine(
    (lines) => lines.split("\n").every((line) => line.trim() === "" || LOGGER_LINE.test(line)),
    "Write one logger a line, such as: browser = warn.",
  ),
  /** Days after which they go. */
  logDays: z.int("Give a whole number.").min(1, "Give 1 or more.").max(365, "Give 365 or less."),
});

export type SiteSettings = z.output<typeof Fields>;

/** What holds in a new community. */
export const defaultSettings: SiteSettings = {
  name: "Kith",
  sentence: "A home for our community.",
  welcome: "",
  ground: "meadow",
  accent: "#0b6b5d",
  logo: "",
  introductions: "",
  about: "",
  rules: "1. Be kind.\n2. Stay on the subject.\n3. What is said here in private stays here.",
  rulesVersion: 1,
  privacyText: "",
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
  writingLimits: true,
  apiDefaults: "careful",
  passwordRules: true,
  signInBackoff: true,
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
  logDays: 14,
};

/** A change names only what it changes; the version of the rules is counted, not set. */
export const SettingsChange = Fields.omit({ rulesVersion: true }).partial();
export const StoredSettings = Fields.partial().loose();
