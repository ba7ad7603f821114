import type { Accounts } from "#community/people";
import type { Limits } from "#platform/limits";

/** Forms from one address in a minute: beyond, not even a page is made for the answer. */
const FORMS = { guest: { points: 120, seconds: 60 }, member: { points: 1_200, seconds: 60 } };
/** Sessions that are remembered to have been alive. Forgetting one costs a query. */
const MOST_REMEMBERED = 10_000;

type Asking = { limits: Pick<Limits, "take">; accounts: Pick<Accounts, "sessionFor"> };
type Sender = { token: string | undefined; address: string };

/**
 * Bounds the forms of an address. Members may send more than guests, and only a session that lives makes a member: anybody
 * can send a cookie. A session that has ended since counts as one here; what it may do is asked where the form is read.
 */
export class FormLimits {
  readonly #asking: Asking;
  readonly #alive = new Set<string>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** @throws Refusal `too-many`. */
  async admit({ token, address }: Sender): Promise<void> {
    const { limits } = this.#asking;
    // Also before it is known whether the session lives, so that made-up cookies cannot ask for more than that.
    if (token !== undefined) await limits.take("forms-member", FORMS.member, address);
    if (token === undefined || !(await this.#lives(token))) await limits.take("forms-guest", FORMS.guest, address);
  }

  async #lives(token: string): Promise<boolean> {
    if (this.#alive.has(token)) return true;
    if (!(await this.#asking.accounts.sessionFor(token, "web"))) return false;
    if (this.#alive.size >= MOST_REMEMBERED) this.#alive.clear();
    this.#alive.add(token);
    return true;
  }
}
