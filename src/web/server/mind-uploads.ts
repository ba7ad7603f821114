import type { SignedIn } from "#community/rules";
import type { House } from "../house.ts";

const A_MINUTE = { points: 10, seconds: 60 };
const HALF_AN_HOUR = { points: 30, seconds: 1_800 };

/**
 * Counts one uploaded file.
 * @throws `too-many`
 */
export const mindFiles = ({ limits }: Pick<House, "limits">, { id }: SignedIn) => limits.take("uploads", A_MINUTE, id);

/**
 * Counts one picture for a text.
 * @throws `too-many`
 */
export async function mindUploads({ limits }: Pick<House, "limits">, me: SignedIn) {
  const { id } = me;
  await mindFiles({ limits }, me);
  await limits.take("uploads-for-long", HALF_AN_HOUR, id);
}
