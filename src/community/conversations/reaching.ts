import type { Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import { mayKnowOf, type Tie, tiesTo } from "#community/friends";
import { friendRules, LIMITS, type SignedIn } from "#community/rules";

/** Those people, in their order. Throws `invalid` on `to` for a name that nobody bears whom the viewer may know of. */
export async function peopleToWrite(tx: Tx, me: SignedIn, to: string[]): Promise<Tie[]> {
  const ties = (await tiesTo(tx, me, { usernames: to })).filter((tie) => tie.id !== me.id && mayKnowOf(me, tie));
  return to.map((name) => {
    const tie = ties.find(({ username }) => username === name);
    if (!tie) throw invalid("to", `There is nobody called ${name} to write to.`);
    return tie;
  });
}

/** Throws `not-allowed`, on `to`, where somebody takes no first message from the viewer. */
export function mindPolicy(me: SignedIn, tie: Tie) {
  if (!friendRules.write(me, tie))
    throw new Refusal("not-allowed", `You cannot write to ${tie.name}.`, { fields: { to: `You cannot write to ${tie.name}.` } });
}

/** Who does not fit into a conversation of thirty. */
export const doesNotFit = (name: string) =>
  invalid("to", `A conversation holds ${LIMITS.conversation.people} people: ${name} does not fit in any more.`);
