import { z } from "zod";
import { OPERATOR } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import type { Call, RestHouse, Route } from "../route.ts";

/** How open the API is by default. */
export const apiDefaultsManagement: Route[] = [
  { method: "GET", path: "/api-defaults", handle: ({ house }) => apiDefaults(house) },
  { method: "PUT", path: "/api-defaults", handle: setApiDefaults },
];

const Form = z.strictObject({ apiDefaults: z.enum(["careful", "hosted"]), iUnderstand: z.boolean().optional() });

const apiDefaults = async ({ settings }: RestHouse) => ({ apiDefaults: (await settings.getNow()).apiDefaults });

/** In production, opening the API to everyone requires a confirmation in the same call. */
async function setApiDefaults({ house, body }: Call) {
  const { apiDefaults: wanted, iUnderstand } = parsed(Form, body);
  if (house.production && wanted === "hosted" && iUnderstand !== true)
    throw new Refusal(
      "invalid",
      'With "apiDefaults": "hosted" everybody reads and writes every table and file. Send "iUnderstand": true beside it.',
    );
  await house.database.inTransaction((tx) => house.settings.set(tx, OPERATOR, { apiDefaults: wanted }));
  house.tables.catalogue.forget();
  return apiDefaults(house);
}
