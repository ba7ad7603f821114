export type Position = [lon: number, lat: number];
export type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "LineString"; coordinates: Position[] }
  | { type: "Polygon"; coordinates: Position[][] };

const MAX_POSITIONS = 2_000;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?`;
const POSITION = new RegExp(`^\\s*(${NUMBER})\\s+(${NUMBER})\\s*$`);
const SHAPE = /^\s*(POINT|LINESTRING|POLYGON)\s*\(([^]*)\)\s*$/i;

/**
 * Parses well-known text: `POINT(lon lat)`, `LINESTRING(…)`, `POLYGON((…),(…))` with closed rings. Null for
 * anything else.
 */
export function parseWkt(text: string): Geometry | null {
  const [, type = "", inside = ""] = SHAPE.exec(text) ?? [];
  switch (type.toUpperCase()) {
    case "POINT": {
      const coordinates = parsePosition(inside);
      return coordinates && { type: "Point", coordinates };
    }
    case "LINESTRING": {
      const coordinates = parsePositions(inside, 2);
      return coordinates && { type: "LineString", coordinates };
    }
    case "POLYGON": {
      const coordinates = parseRings(inside);
      return coordinates && { type: "Polygon", coordinates };
    }
    default:
      return null;
  }
}

function parsePosition(text: string): Position | null {
  const [, lon, lat] = POSITION.exec(text) ?? [];
  return lon === undefined ? null : [Number(lon), Number(lat)];
}

function parsePositions(text: string, least: number): Position[] | null {
  const parts = text.split(",");
  const positions = parts.map(parsePosition).filter((position) => position !== null);
  const isComplete = positions.length === parts.length;
  return isComplete && parts.length >= least && parts.length <= MAX_POSITIONS ? positions : null;
}

function parseRings(text: string): Position[][] | null {
  const inside = /^\s*\(([^]*)\)\s*$/.exec(text)?.[1];
  const parts = inside?.split(/\)\s*,\s*\(/) ?? [];
  const rings = parts.map((ring) => parsePositions(ring, 4)).filter((ring) => ring !== null);
  if (parts.length === 0 || rings.length < parts.length || rings.flat().length > MAX_POSITIONS) return null;
  return rings.every((ring) => String(ring[0]) === String(ring.at(-1))) ? rings : null;
}

/** Whether a point is inside a polygon or on its edge, and outside its holes. */
export const isInsidePolygon = (point: Position, [outer, ...holes]: Position[][]): boolean =>
  isInsideRing(point, outer!) && !holes.some((hole) => isInsideRing(point, hole));

function isInsideRing([x, y]: Position, ring: Position[]): boolean {
  let inside = false;
  for (let at = 1; at < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [ring[at - 1]!, ring[at]!];
    const across = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const between =
      Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
    if (across === 0 && between) return true;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

const EARTH_RADIUS = 6_371_008.8;
const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres between two points on a sphere. */
export function measureDistance([aLon, aLat]: Position, [bLon, bLat]: Position): number {
  const chord =
    Math.sin(toRadians(bLat - aLat) / 2) ** 2 +
    Math.cos(toRadians(aLat)) * Math.cos(toRadians(bLat)) * Math.sin(toRadians(bLon - aLon) / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
