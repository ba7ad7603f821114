import { getPerson, type Profile } from "#community/accounts";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { notFound } from "#platform/refusal";

/**
 * The viewer's own profile, by id or user name.
 * @throws `not-found` for another person's profile
 */
export async function getOwnProfile(
  db: Db,
  viewer: Viewer,
  idOrUsername: string | undefined,
): Promise<Profile> {
  const person = await getPerson(db, viewer, idOrUsername ?? "");
  if (!person.isSelf) throw notFound();
  return person;
}
