import { type PlacesToMoveTo, placesToMoveTo, type Resource } from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { asked } from "../forms.ts";

/** Possible destinations and the selected one: `to` from the URL, and its group, or null for everyone. */
export type Movable = PlacesToMoveTo & { chosen: { to: string; group: PlacesToMoveTo["groups"][number] | null } | null };

/** Null if the viewer cannot move it. */
export async function movable(db: Db, viewer: Viewer, resource: Resource, url: URL): Promise<Movable | null> {
  const places = await placesToMoveTo(db, viewer, resource);
  if (!places.everybody && places.groups.length === 0) return null;
  const to = asked(url, "to");
  const group = places.groups.find(({ id }) => id === to);
  if (group) return { ...places, chosen: { to, group } };
  return { ...places, chosen: to === "everybody" && places.everybody ? { to, group: null } : null };
}
