import { type ResourceMoveTargets, listResourceMoveTargets, type Resource } from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { readQueryParam } from "../../form-parsing.ts";

/**
 * Possible destinations, and the chosen destination: its value `to` in the URL, and its group (null for the
 * whole community).
 */
export type MoveTargets = ResourceMoveTargets & {
  chosen: { to: string; group: ResourceMoveTargets["groups"][number] | null } | null;
};

/** Returns the destinations; null if the viewer may not move the resource. */
export async function findMoveTargets(
  db: Db,
  viewer: Viewer,
  resource: Resource,
  url: URL,
): Promise<MoveTargets | null> {
  const places = await listResourceMoveTargets(db, viewer, resource);
  if (!places.everybody && places.groups.length === 0) return null;
  const to = readQueryParam(url, "to");
  const group = places.groups.find(({ id }) => id === to);
  if (group) return { ...places, chosen: { to, group } };
  return { ...places, chosen: to === "everybody" && places.everybody ? { to, group: null } : null };
}
