import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { parseTrustedJson } from "#platform/json";
import { type Finding, noteFinding, okFinding, problemFinding } from "./finding.ts";

const GIGABYTE = 1024 ** 3;

export const examineMachine = (): Finding[] => [examineNode(process.versions.node), examineSize(totalmem())];

/**
 * Checks the version of Node. `engines` in package.json holds the oldest supported major version, as `>=26`.
 */
export function examineNode(version: string): Finding {
  const { engines } = parseTrustedJson<{ engines: { node: string } }>(readFileSync("package.json", "utf8"));
  const major = engines.node.slice(2);
  if (Number.parseInt(version, 10) >= Number(major))
    return okFinding("Node", `${version} (${major} or later is needed).`);
  return problemFinding(
    "Node",
    `${version} is too old: ${major} or later is needed.`,
    "Start Kith with npm start: it fetches a suitable Node.",
  );
}

function examineSize(memory: number): Finding {
  const what =
    `${process.platform} ${process.arch}, ${availableParallelism()} cores, ` +
    `${(memory / GIGABYTE).toFixed(1)} GB of memory`;
  return memory < GIGABYTE
    ? noteFinding("Machine", `${what}.`, "That is little: 1 GB or more is advisable.")
    : okFinding("Machine", `${what}.`);
}
