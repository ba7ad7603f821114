import { type PlacesToMoveTo, placesToMoveTo, type Resource } from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { asked } from "../forms.ts";

/** Where a resource may go, and which of these was asked about: `to` as the address names it, and the group, or null for everybody. */
export type Movable = PlacesToMoveTo & { chosen: { to: string; group: PlacesToMoveTo["groups"][number] | null } | null };

/** Null where the viewer may put it nowhere else. */
export async function movable(db: Db, viewer: Viewer, resource: Resource, url: URL): Promise<Movable | null> {
  const places = await placesToMoveTo(db, viewer, resource);
  if (!places.everybody && places.groups.length === 0) return null;
  const to = asked(url, "to");
  const group = places.groups.find(({ id }) => id === to);
  if (group) return { ...places, chosen: { to, group } };
  return { ...places, chosen: to === "everybody" && places.everybody ? { to, group: null } : null };
}
