import { pushTemplate, getPushTemplates, TemplateValues } from "#baas/devices";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import { assertMayPublish } from "./publisher.ts";

const TemplateBody = z
  .object({ templateValues: TemplateValues }, "must be an object")
  .or(z.literal("").transform(() => ({ templateValues: {} })))
  .optional()
  .transform((it) => it ?? { templateValues: {} });

/** Push templates. */
export const templateRoutes: Route[] = [
  {
    method: "GET",
    path: "/messaging/pushtemplates",
    handle: ({ app }) => getPushTemplates(app.devices, "ALL"),
  },
  {
    method: "GET",
    path: "/messaging/pushtemplates/:deviceType",
    handle: ({ app, params }) => getPushTemplates(app.devices, params["deviceType"]!),
  },
  {
    method: "POST",
    path: "/messaging/push/:template",
    async handle(call) {
      await assertMayPublish(call);
      const { templateValues } = parseInput(TemplateBody, call.body);
      return pushTemplate(call.app.devices, call.params["template"]!, templateValues);
    },
  },
];
