import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type DataReport,
  EmbeddedFailure,
  embeddedBinaries,
  inspectData,
  inspectBinaries,
} from "#platform/embedded-postgres";
import { type Finding, noteFinding, okFinding, errorReason, problemFinding } from "./finding.ts";

const MEGABYTE = 1024 ** 2;
const MINIMUM_SPACE = 200;
const LOW_SPACE = 2_000;

/** Returns the folder, or its nearest parent that exists. */
export const nearestExistingFolder = (path: string): string =>
  existsSync(path) ? path : nearestExistingFolder(dirname(path));

export function examineDataFolder(dataDir: string): Finding[] {
  const nearest = nearestExistingFolder(dataDir);
  return [
    examineAccess(dataDir, nearest),
    examineSpace(nearest),
    ...(nearest === dataDir ? examineCluster(dataDir) : []),
  ];
}

function examineAccess(dataDir: string, nearest: string): Finding {
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return problemFinding(
      "Data folder",
      `${nearest} is not writable (${errorReason(error)}).`,
      "Start Kith as its owner, or set KITH_DATA to another folder.",
    );
  }
  return nearest === dataDir
    ? okFinding("Data folder", `${dataDir} is writable.`)
    : noteFinding("Data folder", `${dataDir} does not exist yet.`, "The first start creates it.");
}

function examineSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  if (free < MINIMUM_SPACE)
    return problemFinding(
      "Disk",
      `${free} MB are free.`,
      "Free some space: the database stops on a full disk.",
    );
  return free < LOW_SPACE
    ? noteFinding("Disk", `${free} MB are free.`, "That is little.")
    : okFinding("Disk", `${(free / 1024).toFixed(0)} GB are free.`);
}

function examineCluster(dataDir: string): Finding[] {
  try {
    const report = inspectData(dataDir);
    return [...examineVersion(dataDir, report), ...examineUse(report)];
  } catch (error) {
    const advice =
      error instanceof EmbeddedFailure ? error.advice : "Start Kith as the user who owns this folder.";
    return [problemFinding("Cluster", errorReason(error), advice)];
  }
}

function examineVersion(dataDir: string, { clusterVersion }: DataReport): Finding[] {
  if (clusterVersion === null) return [];
  const binaries = embeddedBinaries();
  const ours = binaries && inspectBinaries(binaries, dataDir);
  if (!ours || Number.parseInt(ours.version, 10) === clusterVersion)
    return [okFinding("Cluster", `Created by PostgreSQL ${clusterVersion}.`)];
  return [
    problemFinding(
      "Cluster",
      `Created by PostgreSQL ${clusterVersion}; this Kith comes with ${ours.version}.`,
      "Start it with the Kith that created it, and move the community by export and import.",
    ),
  ];
}

function examineUse({ usedBy, postmaster }: DataReport): Finding[] {
  if (usedBy) return [noteFinding("In use", `A Kith uses this folder (${usedBy}).`)];
  if (postmaster)
    return [
      noteFinding(
        "In use",
        `A PostgreSQL uses this folder (process ${postmaster}), but no Kith.`,
        "Nothing to do: the next start takes it over.",
      ),
    ];
  return [okFinding("In use", "No process uses this folder.")];
}
