import { EnvironmentError } from "./environment-error.ts";

type Credentials = { name: string; clientId: string; clientSecret: string; linksByEmail: boolean };
export type SignInProvider =
  | (Credentials & { kind: "openid"; issuer: string })
  | (Credentials & { kind: "facebook" | "twitter" });

/**
 * OpenID Connect providers take three variables each: `OIDC_<NAME>_ISSUER`, `_CLIENT_ID`, `_CLIENT_SECRET`.
 * @throws `EnvironmentError` when one is missing
 */
export function readOpenIdProviders(variables: Record<string, string | undefined>): SignInProvider[] {
  const issuers = Object.keys(variables).flatMap((name) => /^OIDC_([A-Z0-9]+)_ISSUER$/.exec(name)?.[1] ?? []);
  return issuers.map((NAME) => {
    const part = (suffix: string) => {
      const value = variables[`OIDC_${NAME}_${suffix}`];
      if (!value)
        throw new EnvironmentError(`OIDC_${NAME}_${suffix}`, `must be set when OIDC_${NAME}_ISSUER is.`);
      return value;
    };
    const issuer = part("ISSUER");
    if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol))
      throw new EnvironmentError(`OIDC_${NAME}_ISSUER`, "must be an address such as https://id.example.org.");
    return {
      kind: "openid" as const,
      name: NAME.toLowerCase(),
      issuer,
      clientId: part("CLIENT_ID"),
      clientSecret: part("CLIENT_SECRET"),
      linksByEmail: readSwitch(variables, `OIDC_${NAME}_LINK_BY_EMAIL`),
    };
  });
}

function readSwitch(variables: Record<string, string | undefined>, variable: string): boolean {
  const value = variables[variable] ?? "0";
  if (value !== "0" && value !== "1") throw new EnvironmentError(variable, "must be 0 or 1.");
  return value === "1";
}

/** Providers with protocols of their own, and the variables that hold their client id and secret. */
const SOCIAL_VARIABLES = {
  facebook: ["FACEBOOK_APP_ID", "FACEBOOK_APP_SECRET"],
  twitter: ["TWITTER_API_KEY", "TWITTER_API_SECRET"],
} as const;

type SocialVariables = Partial<
  Record<(typeof SOCIAL_VARIABLES)["facebook" | "twitter"][number] | "TWITTER_LINK_BY_EMAIL", string>
>;

/** @throws `EnvironmentError` when only one of a provider's two variables is set */
export const readSocialProviders = (socialVariables: SocialVariables): SignInProvider[] =>
  (["facebook", "twitter"] as const).flatMap((kind) => {
    const [id, secret] = SOCIAL_VARIABLES[kind];
    if (!socialVariables[id] && !socialVariables[secret]) return [];
    const missing = [id, secret].find((name) => !socialVariables[name]);
    if (missing) throw new EnvironmentError(missing, `must be set when ${missing === id ? secret : id} is.`);
    // Facebook does not say whether an address is verified, so a sign-in with Facebook never links accounts.
    const linksByEmail = kind === "twitter" && socialVariables.TWITTER_LINK_BY_EMAIL === "1";
    return [
      {
        kind,
        name: kind,
        clientId: socialVariables[id]!,
        clientSecret: socialVariables[secret]!,
        linksByEmail,
      },
    ];
  });
