export type Position = [lon: number, lat: number];
export type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "LineString"; coordinates: Position[] }
  | { type: "Polygon"; coordinates: Position[][] };

const MOST_POSITIONS = 2_000;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?`;
const POSITION = new RegExp(`^\\s*(${NUMBER})\\s+(${NUMBER})\\s*$`);
const SHAPE = /^\s*(POINT|LINESTRING|POLYGON)\s*\(([^]*)\)\s*$/i;

/**
 * Parses well-known text: `POINT(lon lat)`, `LINESTRING(…)`, `POLYGON((…),(…))` with closed rings. Null for
 * anything else.
 */
export function readWkt(text: string): Geometry | null {
  const [, type = "", inside = ""] = SHAPE.exec(text) ?? [];
  switch (type.toUpperCase()) {
    case "POINT": {
      const coordinates = positionOf(inside);
      return coordinates && { type: "Point", coordinates };
    }
    case "LINESTRING": {
      const coordinates = positionsOf(inside, 2);
      return coordinates && { type: "LineString", coordinates };
    }
    case "POLYGON": {
      const coordinates = ringsOf(inside);
      return coordinates && { type: "Polygon", coordinates };
    }
    default:
      return null;
  }
}

function positionOf(text: string): Position | null {
  const [, lon, lat] = POSITION.exec(text) ?? [];
  return lon === undefined ? null : [Number(lon), Number(lat)];
}

function positionsOf(text: string, least: number): Position[] | null {
  const positions = text.split(",").map(positionOf);
  if (positions.length < least || positions.length > MOST_POSITIONS || positions.includes(null)) return null;
  return positions as Position[];
}

function ringsOf(text: string): Position[][] | null {
  const inside = /^\s*\(([^]*)\)\s*$/.exec(text)?.[1];
  const rings = inside?.split(/\)\s*,\s*\(/).map((ring) => positionsOf(ring, 4));
  if (!rings || rings.includes(null) || rings.flat().length > MOST_POSITIONS) return null;
  const closed = (rings as Position[][]).every((ring) => String(ring[0]) === String(ring.at(-1)));
  return closed ? (rings as Position[][]) : null;
}

/** Whether a point is inside a polygon or on its edge, and outside its holes. */
export const isInside = (point: Position, [outer, ...holes]: Position[][]): boolean =>
  inRing(point, outer!) && !holes.some((hole) => inRing(point, hole));

function inRing([x, y]: Position, ring: Position[]): boolean {
  let inside = false;
  for (let at = 1; at < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [ring[at - 1]!, ring[at]!];
    const across = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const between = Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
    if (across === 0 && between) return true;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

const RADIUS = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres between two points on a sphere. */
export function metresBetween([aLon, aLat]: Position, [bLon, bLat]: Position): number {
  const chord =
    Math.sin(radians(bLat - aLat) / 2) ** 2 + Math.cos(radians(aLat)) * Math.cos(radians(bLat)) * Math.sin(radians(bLon - aLon) / 2) ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
