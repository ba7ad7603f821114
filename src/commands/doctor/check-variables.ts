import { type Environment, EnvironmentError, readEnvironment } from "#platform/environment";
import { type Finding, noteFinding, okFinding, problemFinding } from "./finding.ts";

const KITH_VARIABLES =
  /^(KITH|OIDC|DATABASE|SMTP|MAIL|REDIS|S3|SEARCH|OTEL)_|^(NODE_ENV|PORT|HOST|LOG_LEVEL)$/;

type RawVariables = Record<string, string | undefined>;

/**
 * Returns the environment of the valid variables, and a finding for each invalid variable. The environment
 * is null when the valid variables are not enough for the rest of the report.
 */
export function examineVariables(variables: RawVariables): {
  environment: Environment | null;
  findings: Finding[];
} {
  const findings = [listVariables(variables)];
  for (const left = { ...variables }; ;) {
    try {
      return { environment: readEnvironment(left), findings };
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      findings.push(
        problemFinding(
          "Variables",
          `${error.variable} ${error.sentence}`,
          "Kith does not start until this is corrected.",
        ),
      );
      // Each invalid variable is removed to find the next error. A missing one cannot be removed, so the
      // check ends here.
      if (!left[error.variable]) return { environment: null, findings };
      delete left[error.variable];
    }
  }
}

/** Lists names only, because values may be secrets. */
function listVariables(variables: RawVariables): Finding {
  const names = Object.keys(variables).filter((name) => KITH_VARIABLES.test(name) && variables[name]);
  return names.length === 0
    ? noteFinding("Variables", "None is set: defaults apply.")
    : okFinding("Variables", `Set: ${names.sort((a, b) => a.localeCompare(b)).join(", ")}.`);
}
