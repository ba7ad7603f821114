import { pushTemplate, templatesFor, TemplateValues } from "#backend/devices";
import { z } from "zod";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { assertMayPublish } from "./publisher.ts";

const Given = z
  .object({ templateValues: TemplateValues }, "is an object")
  .or(z.literal("").transform(() => ({ templateValues: {} })))
  .optional()
  .transform((it) => it ?? { templateValues: {} });

/** Push templates. */
export const templateRoutes: Route[] = [
  { method: "GET", path: "/messaging/pushtemplates", handle: ({ house }) => templatesFor(house.devices, "ALL") },
  {
    method: "GET",
    path: "/messaging/pushtemplates/:deviceType",
    handle: ({ house, params }) => templatesFor(house.devices, params["deviceType"]!),
  },
  {
    method: "POST",
    path: "/messaging/push/:template",
    async handle(call) {
      await assertMayPublish(call);
      const { templateValues } = parsed(Given, call.body);
      return pushTemplate(call.house.devices, call.params["template"]!, templateValues);
    },
  },
];
