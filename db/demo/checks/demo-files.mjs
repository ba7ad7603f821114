// The files of the demo community, read once.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { reportError } from "./report.mjs";

const here = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const read = (f) => JSON.parse(fs.readFileSync(path.join(here, f), "utf8"));

export const HEADERS = ["meadow", "dusk", "clay", "river", "plum", "straw", "moss", "slate"];
export const LANGS = ["en", "de", "fr", "es", "ar"];

export const people = read("people.json");
export const groups = read("groups.json");
export const resources = read("resources.json");
export const events = read("events.json");
export const datePolls = read("date-polls.json");
export const collections = read("collections.json");
export const conversations = read("conversations.json");
export const friendships = read("friendships.json");
export const community = read("community.json");
export const reading = read("reading.json");
export const moderation = read("moderation.json");
export const discussions = {};
for (const f of fs.readdirSync(path.join(here, "discussions")).sort())
  discussions[f.replace(".json", "")] = read("discussions/" + f);

export const P = Object.fromEntries(people.map((p) => [p.username, p]));
export const checkPerson = (where, u) => {
  if (!P[u]) reportError(where, `nobody called ${u}`);
  return P[u];
};
