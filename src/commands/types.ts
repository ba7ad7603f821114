import { writeFileSync } from "node:fs";

/**
 * `npm run types -- <address> [file]`: writes the TypeScript types of a site's tables and services. Without
 * application id and server key in the address, the types of its own tables are left out.
 */
const [address = "", file = "kith.ts", ...more] = process.argv.slice(2);
const HELP =
  "npm run types -- https://kith.example.org [file]                        entities and services\n" +
  "npm run types -- https://kith.example.org/<app id>/<server key> [file]  data tables, too";

if (!URL.canParse(address) || more.length > 0) {
  console.error(HELP);
  process.exitCode = 64;
} else await writeTypes(new URL(address)).catch(fail);

async function writeTypes({ origin, pathname }: URL) {
  const path = pathname === "/" ? "/api" : pathname.replace(/\/+$/, "");
  const answer = await fetch(`${origin}${path}/types.ts`, { signal: AbortSignal.timeout(30_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The site answered with status ${answer.status}.`);
  if (!text.includes("export interface Tables")) throw new Error("There is no Kith site at this address.");
  writeFileSync(file, text);
  console.log(`The types are in ${file}.`);
}

function fail(error: unknown) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
