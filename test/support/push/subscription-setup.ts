import { addMilliseconds, DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { NewSubscription, subscribeToPush } from "#community/push";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

/** Keys of a browser for its subscription. */
export const KEYS = {
  publicKey: Buffer.alloc(65, 4).toString("base64url"),
  auth: Buffer.alloc(16, 1).toString("base64url"),
};

export function createSubscriptionSetup({ inTransaction: within }: TestDatabase) {
  /** Adds a session of the person, and returns its id. */
  async function addSession(who: SignedIn): Promise<string> {
    return within(async (tx) => {
      const id = tx.newId();
      await run(
        tx,
        sql`insert into sessions (id, token_hash, person_id, kind, stay, device, created_at, seen_at,
          expires_at)
          values (${id}, ${Buffer.from(id)}, ${who.id}, 'web', true, 'Firefox on Linux', ${tx.now}, ${tx.now},
            ${addMilliseconds(tx.now, 60 * DAY)})`,
      );
      return id;
    });
  }
  /** Subscribes a browser of the person, and returns the id of its session. */
  async function subscribeBrowser(who: SignedIn, name = "abc") {
    const sessionId = await addSession(who);
    const input = NewSubscription.parse({ endpoint: `https://push.example/${name}`, ...KEYS });
    await within((tx) => subscribeToPush(tx, who, input, sessionId));
    return sessionId;
  }
  return { addSession, subscribeBrowser };
}
