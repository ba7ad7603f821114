import type { Limits } from "#platform/limits";

/**
 * Maximum forms per minute from one address. Beyond this limit, the response is a plain error without a page.
 */
const FORM_LIMITS = { guest: { points: 120, seconds: 60 }, member: { points: 1_200, seconds: 60 } };
/** Maximum number of valid sessions in the cache. A session that is not in it costs a query. */
const MAX_REMEMBERED = 10_000;

type LimitContext = { limits: Pick<Limits, "take">; findSession: (token: string) => Promise<unknown> };
type FormSender = { token: string | undefined; address: string };

/**
 * Limits the forms sent from an address. Members may send more than guests. Only a valid session counts as a
 * member's, since anybody can send a cookie. A session that has just ended may still count as valid;
 * permissions are checked later, where the form is read.
 */
export class FormLimits {
  readonly #asking: LimitContext;
  readonly #alive = new Set<string>();

  constructor(asking: LimitContext) {
    this.#asking = asking;
  }

  /** @throws `too-many` */
  async admit({ token, address }: FormSender): Promise<void> {
    const { limits } = this.#asking;
    // The request is counted before the session is looked up, so that made-up cookies cannot cause more
    // queries than this limit.
    if (token !== undefined) await limits.take("forms-member", FORM_LIMITS.member, address);
    if (token === undefined || !(await this.#lives(token)))
      await limits.take("forms-guest", FORM_LIMITS.guest, address);
  }

  async #lives(token: string): Promise<boolean> {
    if (this.#alive.has(token)) return true;
    if (!(await this.#asking.findSession(token))) return false;
    if (this.#alive.size >= MAX_REMEMBERED) this.#alive.clear();
    this.#alive.add(token);
    return true;
  }
}
