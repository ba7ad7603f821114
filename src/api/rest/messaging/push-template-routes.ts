import { pushTemplate, getPushTemplates, TemplateValues } from "#baas/devices";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { NamedJson } from "../shapes.ts";
import { MessageStatus } from "./message-status.ts";
import { PUBLISH_PERMISSION } from "./publisher.ts";

/** Values for the placeholders of a template; no body means no values. */
const TemplateBody = z.preprocess(
  (body) => (body === undefined || body === "" ? { templateValues: {} } : body),
  z.object({ templateValues: TemplateValues }, "must be an object"),
);

/** Endpoints for push templates. */
export const templateEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/messaging/pushtemplates",
    summary: "Returns all push templates by name.",
    response: NamedJson,
    handle: ({ app }) => getPushTemplates(app.devices, "ALL"),
  }),
  defineEndpoint({
    method: "GET",
    path: "/messaging/pushtemplates/:deviceType",
    summary: "Returns the push templates for `IOS`, `ANDROID`, `WEB` or `ALL`, by name.",
    response: NamedJson,
    example: { params: { deviceType: "ANDROID" } },
    handle: ({ app, params }) => getPushTemplates(app.devices, params.deviceType),
  }),
  defineEndpoint({
    method: "POST",
    path: "/messaging/push/:template",
    summary:
      "Sends a push template, with `templateValues` for its placeholders; 422 names one without a value.",
    permission: PUBLISH_PERMISSION,
    body: TemplateBody,
    response: MessageStatus,
    example: { params: { template: "frost" }, body: { templateValues: { name: "Mira" } } },
    handle: ({ app, params, body }) => pushTemplate(app.devices, params.template, body.templateValues),
  }),
];
