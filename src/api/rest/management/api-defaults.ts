import { z } from "zod";
import { OPERATOR } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { parseInput } from "../parse-input.ts";
import type { Call, RestContext, Route } from "../rest-route.ts";

/** How open the API is by default. */
export const apiDefaultsManagement: Route[] = [
  { method: "GET", path: "/api-defaults", handle: ({ app }) => readApiDefaults(app) },
  { method: "PUT", path: "/api-defaults", handle: setApiDefaults },
];

const ApiDefaultsBody = z.strictObject({
  apiDefaults: z.enum(["careful", "hosted"]),
  iUnderstand: z.boolean().optional(),
});

const readApiDefaults = async ({ settings }: RestContext) => ({
  apiDefaults: (await settings.getNow()).apiDefaults,
});

/** In production, opening the API to everyone requires a confirmation in the same call. */
async function setApiDefaults({ app, body }: Call) {
  const { apiDefaults: wanted, iUnderstand } = parseInput(ApiDefaultsBody, body);
  if (app.production && wanted === "hosted" && iUnderstand !== true)
    throw new Refusal(
      "invalid",
      'With "apiDefaults": "hosted", every caller can read and write every table and file. Add ' +
        '"iUnderstand": true to confirm.',
    );
  await app.database.inTransaction((tx) => app.settings.set(tx, OPERATOR, { apiDefaults: wanted }));
  app.tables.catalogue.forget();
  return readApiDefaults(app);
}
