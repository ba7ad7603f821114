import type { FastifyInstance } from "fastify";
import { Refusal } from "#platform/refusal";
import { defineEndpoint } from "./endpoint.ts";

const refuseAppleReceipts = async () => {
  throw new Refusal(
    "not-found",
    "Receipts of Apple's App Store are not supported. Check them on your own server with the App Store Server API.",
  );
};

const refuseBinaryProtocol = async () => {
  throw new Refusal(
    "wrong-type",
    "The binary protocol of old Android, iOS and .NET SDKs is not supported. Use the JSON calls of the " +
      "REST API, or an SDK that makes them.",
  );
};

const refuseKeysInHeaders = async () => {
  throw new Refusal(
    "not-found",
    "Calls with a version in the address and keys in headers are not supported. Put the application id " +
      "and the API key in the address.",
  );
};

/**
 * Endpoints of SDKs that are not supported. The answer names the call and an alternative; no body is read.
 */
export const unsupportedEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/commerce/apple/*",
    summary: "Not supported: returns an error with the reason.",
    streams: true,
    status: 404,
    example: { params: { "*": "receipt" } },
    handle: refuseAppleReceipts,
  }),
  defineEndpoint({
    method: "POST",
    path: "/binary",
    summary: "Not supported: the binary protocol of old SDKs returns an error with the reason.",
    streams: true,
    status: 415,
    handle: refuseBinaryProtocol,
  }),
];

/** Serves the same refusals at the URLs of old SDKs, which contain no app id. */
export function serveUnsupported(scope: FastifyInstance, methods: string[]): void {
  scope.route({
    method: "POST",
    url: "/v1/binary",
    onRequest: refuseBinaryProtocol,
    handler: refuseBinaryProtocol,
  });
  scope.route({
    method: methods,
    url: "/v1/*",
    onRequest: refuseKeysInHeaders,
    handler: refuseKeysInHeaders,
  });
}
