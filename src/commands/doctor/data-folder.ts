import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type DataReport, EmbeddedFailure, embeddedBinaries, inspectData, inspectPrograms } from "#platform/embedded";
import { type Finding, note, ok, reasonOf, wrong } from "./finding.ts";

const MEGABYTE = 1024 ** 2;
const TOO_LITTLE = 200;
const LITTLE = 2_000;

/** The folder itself, or the nearest existing one above it. */
export const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

export function examineDataFolder(dataDir: string): Finding[] {
  const nearest = nearestExisting(dataDir);
  return [examineAccess(dataDir, nearest), examineRoom(nearest), ...(nearest === dataDir ? examineCluster(dataDir) : [])];
}

function examineAccess(dataDir: string, nearest: string): Finding {
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return wrong(
      "Data folder",
      `${nearest} may not be written (${reasonOf(error)}).`,
      "Start Kith as its owner, or let KITH_DATA name another folder.",
    );
  }
  return nearest === dataDir
    ? ok("Data folder", `${dataDir} can be written.`)
    : note("Data folder", `${dataDir} is not there yet.`, "The first start makes it.");
}

function examineRoom(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  if (free < TOO_LITTLE) return wrong("Disk", `${free} MB are free.`, "Make room: the database stops when there is none left.");
  return free < LITTLE
    ? note("Disk", `${free} MB are free.`, "That will not last long.")
    : ok("Disk", `${(free / 1024).toFixed(0)} GB are free.`);
}

function examineCluster(dataDir: string): Finding[] {
  try {
    const report = inspectData(dataDir);
    return [...examineVersion(dataDir, report), ...examineUse(report)];
  } catch (error) {
    const advice = error instanceof EmbeddedFailure ? error.advice : "Start Kith as the user who owns this folder.";
    return [wrong("Cluster", reasonOf(error), advice)];
  }
}

function examineVersion(dataDir: string, { clusterVersion }: DataReport): Finding[] {
  if (clusterVersion === null) return [];
  const binaries = embeddedBinaries();
  const ours = binaries && inspectPrograms(binaries, dataDir);
  if (!ours || Number.parseInt(ours.version, 10) === clusterVersion) return [ok("Cluster", `Made by PostgreSQL ${clusterVersion}.`)];
  return [
    wrong(
      "Cluster",
      `Made by PostgreSQL ${clusterVersion}; this Kith comes with ${ours.version}.`,
      "Start it with the Kith that made it, and move the community by export and import.",
    ),
  ];
}

function examineUse({ usedBy, postmaster }: DataReport): Finding[] {
  if (usedBy) return [note("In use", `A Kith runs on this folder (${usedBy}).`)];
  if (postmaster)
    return [
      note(
        "In use",
        `A PostgreSQL runs on this folder (process ${postmaster}) and no Kith.`,
        "Nothing to do: the next start takes it over.",
      ),
    ];
  return [ok("In use", "Nothing runs on this folder.")];
}
