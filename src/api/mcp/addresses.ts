import { paths } from "#community/common";
import { notFound } from "#platform/refusal";
import type { McpCall } from "./tool.ts";

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Maximum characters of a reference. */
export const MAX_REFERENCE_LENGTH = 500;

/** Address of a page of the site. */
export const pageUrl = ({ app }: Pick<McpCall, "app">, path: string): string => app.origin() + path;

/** Pages of the entities that tools return. */
export const pagePaths = {
  ...paths,
  event: (id: string) => `/events/${id}`,
  conversation: (id: string) => `/conversations/${id}`,
};

/** Resources that clients can read, by kind. */
export const resourceUri = (kind: ResourceKind, id: string) => `kith://${kind}/${id}`;
export const RESOURCE_KINDS = ["discussion", "group", "event", "resource"] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/**
 * Reads the id in a reference: an id, an address of the site, or a `kith://` address.
 * @throws `not-found` without an id
 */
export function readReference(reference: string): string {
  const id = reference.match(ID)?.[0];
  if (!id) throw notFound();
  return id.toLowerCase();
}
