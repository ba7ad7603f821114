import { examineDatabase } from "./doctor/check-database.ts";
import { examineDataFolder, nearestExistingFolder } from "./doctor/check-data-folder.ts";
import { formatFindings, type Finding } from "./doctor/finding.ts";
import { examineMachine } from "./doctor/check-machine.ts";
import { examineVariables } from "./doctor/check-variables.ts";
import { examineBuild, examineMail, examineInboundMail, examinePort } from "./doctor/check-web.ts";

/** Checks everything that Kith needs, and changes nothing. Call it in the project folder. */
export async function examineInstallation(variables: Record<string, string | undefined>): Promise<Finding[]> {
  const { environment, findings } = examineVariables(variables);
  if (!environment) return [...examineMachine(), ...findings];
  const data = examineDataFolder(environment.dataDir);
  const kithRuns = data.some(({ about, state }) => about === "In use" && state === "note");
  return [
    ...examineMachine(),
    ...findings,
    ...data,
    ...(await examineDatabase(environment, nearestExistingFolder(environment.dataDir))),
    await examinePort(environment, kithRuns),
    await examineMail(environment),
    ...(await examineInboundMail(environment)),
    examineBuild(),
  ];
}

/** `npm run doctor`: prints findings and advice; exits with 1 when something is wrong. */
async function main() {
  const findings = await examineInstallation(process.env);
  const faults = findings.filter(({ state }) => state === "wrong").length;
  console.log(formatFindings(findings));
  console.log(
    faults === 0 ? "\nNo problems found." : `\n${faults} ${faults === 1 ? "problem" : "problems"} found.`,
  );
  process.exitCode = faults === 0 ? 0 : 1;
}

if (import.meta.main) await main();
