import { z } from "zod";

/** As the database can keep it: without NUL and halves of characters. */
const text = (most: number) =>
  z
    .string()
    .transform((it) => it.replaceAll("\0", "").toWellFormed().trim())
    .pipe(z.string().max(most, `Please keep it under ${most} characters.`));
const count = z.int("Give a whole number.").min(0, "Give 0 or more.").max(100_000, "Give 100000 or less.");

const GUESTS_SEE = ["public", "limited", "hidden"] as const;

/** What an admin may set. The keys are those of the table. */
const Fields = z.strictObject({
  name: text(60).refine((name) => name !== "", "Give the community a name."),
  /** One sentence on what this community is. */
  sentence: text(200),
  welcome: text(10_000),
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
  /** Staff cannot switch their second step off once it is on. */
  staffNeedSecondStep: z.boolean(),
  /** New accounts from one network address in a day, and tries in half an hour; 0 for any number. */
  accountsPerAddress: count,
  registrationTries: count,
  /** Off: people write as fast and as much as they like. */
  writingLimits: z.boolean(),
  /** Whether a program's unknown column or table is made on first save; null leaves it to the environment. */
  dynamicSchema: z.boolean().nullable(),
});

export type SiteSettings = z.output<typeof Fields>;

/** What holds in a new community. */
export const defaultSettings: SiteSettings = {
  name: "Kith",
  sentence: "A home for our community.",
  welcome: "",
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
  staffNeedSecondStep: false,
  accountsPerAddress: 3,
  registrationTries: 5,
  writingLimits: true,
  dynamicSchema: null,
};

/** A change names only what it changes; the version of the rules is counted, not set. */
export const SettingsChange = Fields.omit({ rulesVersion: true }).partial();
export const StoredSettings = Fields.partial().loose();
