import type { Endpoint as DeclaredEndpoint, Route } from "../rest/index.ts";
import type { EndpointShapes } from "./exchange-shapes.ts";
import { ENDPOINT_SHAPES } from "./endpoint-shapes.ts";

/** Descriptions by method and path; variable parts are `{}`. */
const DESCRIPTIONS: Record<string, string> = {};

export type Endpoint = {
  method: string;
  path: string;
  about: string;
  params: string[];
  exchange: EndpointShapes | null;
  /** Endpoints declared beside their handlers. */
  declared: DeclaredEndpoint | null;
};

/** Key of an endpoint in the tables of descriptions and shapes. */
const endpointKey = ({ method, path }: Pick<Route, "method" | "path">) =>
  `${method} ${path.replace(/:\w+/g, "{}")}`;

/** REST endpoints as documented, with path parameters in braces. */
export const describeEndpoints = (routes: readonly (Route | DeclaredEndpoint)[]): Endpoint[] =>
  routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}"),
    about: "summary" in route ? route.summary : (DESCRIPTIONS[endpointKey(route)] ?? ""),
    params: [...route.path.replace("*", ":path").matchAll(/:(\w+)/g)].map((match) => match[1]!),
    exchange: ENDPOINT_SHAPES[endpointKey(route)] ?? null,
    declared: "summary" in route ? route : null,
  }));

/** Descriptions and shapes of endpoints that do not exist: must be empty. */
export const findStaleDescriptions = (routes: readonly Pick<Route, "method" | "path">[]): string[] => {
  const keys = new Set(routes.map(endpointKey));
  return [...Object.keys(DESCRIPTIONS), ...Object.keys(ENDPOINT_SHAPES)].filter((key) => !keys.has(key));
};
