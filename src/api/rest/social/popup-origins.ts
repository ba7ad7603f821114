import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { RestContext } from "../rest-route.ts";

const parseOrigin = (text: string): string | null =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text).origin : null;
const isLocalMachine = (origin: string) =>
  ["127.0.0.1", "[::1]", "localhost"].includes(new URL(origin).hostname);

/**
 * Returns the origin that may receive the result of a sign-in. Anyone can start a sign-in with the public
 * key, and whoever receives the result can act as the person. Therefore only our own origin is allowed,
 * those named by an admin, and in development those on this machine.
 * @throws `not-allowed`
 */
export async function resolvePopupOrigin(
  { settings, origin, production }: Pick<RestContext, "settings" | "origin" | "production">,
  asked: string,
): Promise<string> {
  const wanted = parseOrigin(asked);
  const named = (await settings.get()).signInOrigins.split(/\s+/).map(parseOrigin);
  if (
    wanted !== null &&
    (wanted === new URL(origin()).origin || named.includes(wanted) || (!production && isLocalMachine(wanted)))
  )
    return wanted;
  throw new Refusal(
    "not-allowed",
    "Sign-in is not allowed for this origin. An admin can add it in the settings.",
    {
      kind: "provider-failed",
    },
  );
}

/** Returns our id of a provider from the clients' name for it. */
export function findProvider(
  { signInProviders }: Pick<RestContext, "signInProviders">,
  called: string,
): string {
  const known = [...signInProviders.keys()];
  const name = called.toLowerCase();
  const found = known.includes(name)
    ? name
    : name === "googleplus" && known.includes("google")
      ? "google"
      : undefined;
  if (found) return found;
  throw new Refusal(
    "not-found",
    msg("There is no sign-in provider {called}.", { called: called.slice(0, 40) }),
    {
      kind: "provider-failed",
    },
  );
}
