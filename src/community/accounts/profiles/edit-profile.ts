import { z } from "zod";
import { run, sql, type Tx } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { reportFlaggedText } from "#community/prevention";
import {
  AUDIENCES,
  isSignedIn,
  LIMITS,
  SERVER_LIMITS,
  personRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { DisplayName } from "../account-forms.ts";
import { checkProfileTexts } from "./check-profile-texts.ts";
import { storePendingTexts } from "./pending-profile.ts";
import { assertRenameLimit } from "./rename-limit.ts";
import { plainTextField } from "../plain-text-field.ts";

const Audience = z.enum(["everyone", "members", "friends"]);
const FieldAudience = z.enum(AUDIENCES, "Choose who can see the field.");

export const ProfileInput = z.object({
  name: DisplayName,
  pronouns: plainTextField(40),
  location: plainTextField(80),
  bio: plainTextField(LIMITS.bio),
  /** Audiences of pronouns, location and bio, among those who see the profile. */
  pronounsFor: FieldAudience,
  locationFor: FieldAudience,
  bioFor: FieldAudience,
  fields: z
    .array(
      z.object({
        label: plainTextField(40).refine((label) => label !== "", "Name this field."),
        value: plainTextField(200),
        audience: FieldAudience,
      }),
    )
    // Maximum for imported profiles; the form offers eight fields.
    .max(SERVER_LIMITS.profileLines, "At most 60 fields."),
});
export const PrivacySettingsInput = z.object({
  profile: Audience,
  messages: z.enum(["everyone", "connected", "groups", "friends", "nobody"]),
  friendRequests: z.enum(["everyone", "connected", "nobody"]),
  showOnline: z.boolean(),
  showReading: z.boolean(),
  showFriendCount: z.boolean(),
  inDirectory: z.boolean(),
  inSearchEngines: z.boolean(),
});
export const DisplaySettingsInput = z.object({
  theme: z.enum(["system", "light", "dark"]),
  locale: z.string().regex(/^[a-z]{2}$/, "Choose a language."),
  timeZone: z.string().refine(isValidTimeZone, "Choose a time zone."),
});
export type ProfileInput = z.output<typeof ProfileInput>;
export type PrivacySettingsInput = z.output<typeof PrivacySettingsInput>;
export type DisplaySettingsInput = z.output<typeof DisplaySettingsInput>;

function isValidTimeZone(name: string): boolean {
  try {
    return (
      name.length <= 60 && new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
    );
  } catch {
    return false;
  }
}

/**
 * Updates a profile. Fields left out stay unchanged. A text that needs approval waits; others see the previous
 * one until then. Audiences, and the removal of a custom field, apply at once. Returns whether a text waits.
 * @throws `not-found` unless it is the viewer's own profile or the viewer is an admin, `too-many` on `name`,
 * `invalid` on a text with a blocked word or link
 */
export async function updateProfileOrAwaitApproval(
  tx: Tx,
  viewer: Viewer,
  personId: string,
  changes: Partial<ProfileInput>,
): Promise<{ waits: boolean }> {
  assertCanEdit(viewer, personId);
  const checked = await checkProfileTexts(tx, requireMember(viewer), personId, changes);
  const { published: form, waiting, reason, flagged } = checked;
  if (form.name !== undefined) await assertRenameLimit(tx, viewer, "people", personId, form.name);
  const bioHtml = form.bio === undefined ? null : renderMarkdown(form.bio);
  const audiences = JSON.stringify({
    pronouns: form.pronounsFor,
    location: form.locationFor,
    bio: form.bioFor,
  });
  const fields = form.fields && JSON.stringify(form.fields);
  await updatePerson(
    tx,
    viewer,
    personId,
    sql`
    display_name = coalesce(${form.name ?? null}::text, display_name),
    pronouns = coalesce(${form.pronouns ?? null}::text, pronouns),
    location = coalesce(${form.location ?? null}::text, location),
    bio_md = coalesce(${form.bio ?? null}::text, bio_md),
    bio_html = coalesce(${bioHtml}::text, bio_html), fields = coalesce(${fields ?? null}::jsonb, fields),
    privacy = privacy || ${audiences}::jsonb`,
  );
  // Changes by an admin in another person's profile leave their pending texts as they are.
  if (viewer.id === personId) await storePendingTexts(tx, personId, Object.keys(changes), waiting, reason);
  await reportFlaggedText(tx, personId, flagged, { personId });
  return { waits: Object.keys(waiting).length > 0 };
}

/**
 * Updates a profile, for clients that cannot show a pending text. Fields left out stay unchanged.
 * @throws like `updateProfileOrAwaitApproval`, and `not-allowed` for a text that needs approval
 */
export async function updateProfile(
  tx: Tx,
  viewer: Viewer,
  personId: string,
  changes: Partial<ProfileInput>,
): Promise<void> {
  const { waits } = await updateProfileOrAwaitApproval(tx, viewer, personId, changes);
  if (waits)
    throw new Refusal(
      "not-allowed",
      "This text needs approval here. Change your profile on the website, where it can wait for approval.",
    );
}

function requireMember(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw notFound();
  return viewer;
}

/**
 * Updates the privacy settings of a profile.
 * @throws like `updateProfile`
 */
export const updatePrivacy = (
  tx: Tx,
  viewer: Viewer,
  personId: string,
  form: Partial<PrivacySettingsInput>,
): Promise<void> =>
  updatePerson(tx, viewer, personId, sql`privacy = privacy || ${JSON.stringify(form)}::jsonb`);

/**
 * Updates the display settings of a person.
 * @throws like `updateProfile`
 */
export const updateDisplay = (
  tx: Tx,
  viewer: Viewer,
  personId: string,
  form: Partial<DisplaySettingsInput>,
): Promise<void> =>
  updatePerson(
    tx,
    viewer,
    personId,
    sql`
    theme = coalesce(${form.theme ?? null}::text, theme),
    locale = coalesce(${form.locale ?? null}::text, locale),
    time_zone = coalesce(${form.timeZone ?? null}::text, time_zone)`,
  );

function assertCanEdit(viewer: Viewer, personId: string): void {
  if (!personRules.edit(viewer, { id: personId })) throw notFound();
}

async function updatePerson(
  tx: Tx,
  viewer: Viewer,
  personId: string,
  columns: ReturnType<typeof sql>,
): Promise<void> {
  assertCanEdit(viewer, personId);
  const changed = await run(
    tx,
    sql`
    update people set ${columns}, updated_at = ${tx.now}
    where id = ${personId} and state not in ('erased', 'guest')`,
  );
  if (changed === 0) throw notFound();
  await emit(tx, { type: "person.changed", personId });
}
