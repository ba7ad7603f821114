import { z } from "zod";
import { OPERATOR } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { defineEndpoint } from "../endpoint.ts";
import type { RestContext } from "../rest-route.ts";

const Level = z.enum(["careful", "hosted"]);
const ApiDefaultsBody = z.strictObject({
  apiDefaults: Level,
  iUnderstand: z.boolean().optional(),
});

const ApiDefaults = z.object({ apiDefaults: Level });

/** Management of the API's default access. */
export const apiDefaultsEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/api-defaults",
    summary: "Returns the defaults of API settings that were never changed.",
    response: ApiDefaults,
    handle: ({ app }) => readApiDefaults(app),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/api-defaults",
    summary: "Changes these defaults. In production `hosted` needs `iUnderstand`.",
    body: ApiDefaultsBody,
    response: ApiDefaults,
    example: { body: { apiDefaults: "careful" } },
    handle: ({ app, body }) => setApiDefaults(app, body),
  }),
];

const readApiDefaults = async ({ settings }: Pick<RestContext, "settings">) => ({
  apiDefaults: (await settings.getNow()).apiDefaults,
});

/** In production, opening the API to everyone requires a confirmation in the same call. */
async function setApiDefaults(
  app: Pick<RestContext, "database" | "settings" | "tables" | "production">,
  { apiDefaults: wanted, iUnderstand }: z.output<typeof ApiDefaultsBody>,
) {
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
