type Given = Record<string, string | undefined>;

/** Variables that only tests set. */
const TEST_VARIABLES = /^KITH_(TEST_|FUZZ|TRACE$|SLOW_|PASSWORD$)/;

/**
 * Returns variables that look like ours but are not read, each with an explanation, because a misspelt or
 * incomplete setting would otherwise be ignored silently. Values are never repeated, because they may be
 * secrets.
 */
export function findUnreadVariables(
  variables: Given,
  read: readonly string[],
): { variable: string; sentence: string }[] {
  const isSet = (name: string) => variables[name] !== undefined && variables[name] !== "";
  return Object.keys(variables)
    .filter(
      (name) =>
        isSet(name) && /^(KITH|OIDC)_/.test(name) && !read.includes(name) && !TEST_VARIABLES.test(name),
    )
    .toSorted()
    .flatMap((variable) => {
      const sentence = variable.startsWith("OIDC_")
        ? oidcSentence(variable, isSet)
        : "is not a variable of Kith and has no effect.";
      return sentence === null ? [] : [{ variable, sentence }];
    });
}

/**
 * Returns null when the provider has an issuer: its missing variables are then reported as an error
 * elsewhere.
 */
function oidcSentence(variable: string, isSet: (name: string) => boolean): string | null {
  const [, name, suffix] = /^OIDC_(.*)_(ISSUER|CLIENT_ID|CLIENT_SECRET|LINK_BY_EMAIL)$/.exec(variable) ?? [];
  if (!name)
    return (
      "is not a variable of Kith and has no effect. A provider needs OIDC_<NAME>_ISSUER, _CLIENT_ID and " +
      "_CLIENT_SECRET."
    );
  if (!/^[A-Z0-9]+$/.test(name)) {
    const better = name.toUpperCase().replace(/[^A-Z0-9]/g, "");
    return `has no effect: a provider's name can have capitals and digits only, as in OIDC_${better}_${suffix}.`;
  }
  return isSet(`OIDC_${name}_ISSUER`) ? null : `has no effect unless OIDC_${name}_ISSUER is set.`;
}
