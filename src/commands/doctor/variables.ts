import { type Environment, EnvironmentFault, readEnvironment } from "#platform/environment";
import { type Finding, note, ok, wrong } from "./finding.ts";

const OURS = /^(KITH|OIDC|DATABASE|SMTP|MAIL|REDIS|S3|SEARCH|OTEL)_|^(NODE_ENV|PORT|HOST|LOG_LEVEL)$/;

type Given = Record<string, string | undefined>;

/**
 * The valid variables, and everything wrong with the others. The rest of the report uses the valid ones; null
 * when they are not enough.
 */
export function readVariables(given: Given): { environment: Environment | null; findings: Finding[] } {
  const findings = [nameVariables(given)];
  for (const left = { ...given }; ;) {
    try {
      return { environment: readEnvironment(left), findings };
    } catch (error) {
      if (!(error instanceof EnvironmentFault)) throw error;
      findings.push(wrong("Variables", `${error.variable} ${error.sentence}`, "Kith does not start before this is put right."));
      // A variable missing beside others cannot be skipped to find the next fault.
      if (!left[error.variable]) return { environment: null, findings };
      delete left[error.variable];
    }
  }
}

/** Names only: values may be secrets. */
function nameVariables(given: Given): Finding {
  const names = Object.keys(given).filter((name) => OURS.test(name) && given[name]);
  return names.length === 0
    ? note("Variables", "None is set: all is as it comes.")
    : ok("Variables", `Set: ${names.sort((a, b) => a.localeCompare(b)).join(", ")}.`);
}
