import { type Environment, EnvironmentError, readEnvironment } from "#platform/environment";
import { type Finding, noteFinding, okFinding, wrongFinding } from "./finding.ts";

const KITH_VARIABLES =
  /^(KITH|OIDC|DATABASE|SMTP|MAIL|REDIS|S3|SEARCH|OTEL)_|^(NODE_ENV|PORT|HOST|LOG_LEVEL)$/;

type RawVariables = Record<string, string | undefined>;

/**
 * The valid variables, and everything wrong with the others. The rest of the report uses the valid ones; null
 * when they are not enough.
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
        wrongFinding(
          "Variables",
          `${error.variable} ${error.sentence}`,
          "Kith does not start until this is corrected.",
        ),
      );
      // A variable missing beside others cannot be skipped to find the next fault.
      if (!left[error.variable]) return { environment: null, findings };
      delete left[error.variable];
    }
  }
}

/** Names only: values may be secrets. */
function listVariables(variables: RawVariables): Finding {
  const names = Object.keys(variables).filter((name) => KITH_VARIABLES.test(name) && variables[name]);
  return names.length === 0
    ? noteFinding("Variables", "None is set: defaults apply.")
    : okFinding("Variables", `Set: ${names.sort((a, b) => a.localeCompare(b)).join(", ")}.`);
}
