import { expireAt, expireAfter, isCached, putCached, getCached, removeCached } from "#baas/cache";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { SerializedJson } from "./rest-route.ts";
import { AnyJson } from "./shapes.ts";

const PositiveNumber = z
  .string("must be given once")
  .regex(/^\d{1,15}(\.\d{1,9})?$/, "must be a number of at least 0")
  .transform(Number);
const TtlParams = z.object({ timeout: PositiveNumber.meta({ description: "Seconds." }) });
const ExpiryParams = z.object({
  timestamp: PositiveNumber.meta({ description: "Milliseconds since 1970." }),
});

/** Maximum bytes of a body: a value of maximum size, with quotes and escapes. */
const MAX_BODY = 1_100_000;

const params = { key: "weather" };

/** Endpoints for cached values. Every caller may read and write; all apps share the keys. */
export const cacheEndpoints = [
  defineEndpoint({
    method: "PUT",
    path: "/cache/:key",
    summary: "Stores a value, any JSON, for `timeout` seconds or two hours. An empty body is null.",
    most: MAX_BODY,
    query: TtlParams.partial(),
    body: AnyJson,
    example: { params, query: { timeout: "600" }, body: { sky: "clear" } },
    handle: ({ app, params: { key }, query, body }) => putCached(app.cache, key, body, query.timeout),
  }),
  defineEndpoint({
    method: "GET",
    path: "/cache/:key",
    summary: "Returns the value, or null.",
    response: AnyJson,
    example: { params },
    handle: async ({ app, params: { key } }) => new SerializedJson(await getCached(app.cache, key)),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/cache/:key",
    summary: "Deletes a value.",
    example: { params },
    handle: ({ app, params: { key } }) => removeCached(app.cache, key),
  }),
  defineEndpoint({
    method: "GET",
    path: "/cache/:key/check",
    summary: "Returns whether a value exists, even if null.",
    response: z.boolean(),
    example: { params },
    handle: ({ app, params: { key } }) => isCached(app.cache, key),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/cache/:key/expireIn",
    summary: "Sets the expiry of a value to `timeout` seconds from now; does nothing for a missing key.",
    query: TtlParams,
    example: { params, query: { timeout: "60" } },
    handle: ({ app, params: { key }, query }) => expireAfter(app.cache, key, query.timeout),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/cache/:key/expireAt",
    summary: "Sets the expiry of a value to `timestamp`; does nothing for a missing key.",
    query: ExpiryParams,
    example: { params, query: { timestamp: "1900000000000" } },
    handle: ({ app, params: { key }, query }) => expireAt(app.cache, key, query.timestamp),
  }),
];
