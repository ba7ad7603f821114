import type { SignedIn } from "#community/rules";
import type { WebContext } from "../web-context.ts";

const PER_MINUTE = { points: 10, seconds: 60 };
const PER_HALF_HOUR = { points: 30, seconds: 1_800 };

/**
 * Counts one uploaded file.
 * @throws `too-many`
 */
export const assertFileLimit = ({ limits }: Pick<WebContext, "limits">, { id }: SignedIn) =>
  limits.take("uploads", PER_MINUTE, id);

/**
 * Counts one picture for a text.
 * @throws `too-many`
 */
export async function assertPictureLimit({ limits }: Pick<WebContext, "limits">, me: SignedIn) {
  const { id } = me;
  await assertFileLimit({ limits }, me);
  await limits.take("uploads-for-long", PER_HALF_HOUR, id);
}
