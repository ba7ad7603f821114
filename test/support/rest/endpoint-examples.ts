import type { Endpoint } from "../../../src/api/rest/index.ts";
import { EXAMPLE_ID, signInMira } from "./endpoint-setup.ts";
import { APP, CLIENT, SERVER, type TestRestApi } from "./rest-server.ts";

type Sent = {
  /** Replaces the id in the example. */
  id?: string;
  query?: Record<string, string | string[]>;
  body?: unknown;
};
export type ExampleCaller = Endpoint["permission"]["caller"];

/** Returns the address of an endpoint's example, for a caller with one of the two keys. */
function exampleUrl({ path, example }: Endpoint, caller: ExampleCaller, query: Sent["query"], id: string) {
  const params = example.params ?? {};
  const filled = path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "").replace(EXAMPLE_ID, id))
    .replace("*", params["*"] ?? "");
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) => [value].flat().map((it) => [name, it])),
  );
  return `/${APP}/${caller.endsWith("server key") ? SERVER : CLIENT}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/** Sends the example of an endpoint, possibly changed, as this caller. */
export async function sendExample(
  api: TestRestApi,
  endpoint: Endpoint,
  caller: ExampleCaller,
  { id = EXAMPLE_ID, query = endpoint.example.query ?? {}, body = endpoint.example.body }: Sent = {},
) {
  const headers: Record<string, string> = {};
  if (caller.startsWith("member")) headers["user-token"] = (await signInMira(api)).token;
  const { contentType } = body === endpoint.example.body ? endpoint.example : {};
  if (body !== undefined) headers["content-type"] = contentType ?? "application/json";
  const answer = await fetch(`${api.origin()}${exampleUrl(endpoint, caller, query, id)}`, {
    method: endpoint.method,
    headers,
    redirect: "manual",
    ...(body !== undefined && { body: contentType ? (body as string) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = text !== "" && answer.headers.get("content-type")?.startsWith("application/json");
  return { status: answer.status, text, body: isJson ? (JSON.parse(text) as unknown) : undefined };
}
