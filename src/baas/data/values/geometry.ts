import { parseWkt } from "../clause/wkt.ts";

/** A shape as stored, with exactly these keys, so that equal shapes are equal values. */
export type Geometry = { type: "Point" | "LineString" | "Polygon"; coordinates: unknown; srsId: number };
type Position = [number, number];

/** Maximum points of one shape. */
const MAX_POINTS = 10_000;
const DEFAULT_SRS = 4326;
const KNOWN_SRS = new Set([0, 4200, 4326, 3857, 3395]);

const isPosition = (it: unknown): it is Position =>
  Array.isArray(it) &&
  it.length >= 2 &&
  it.length <= 3 &&
  it.every((part) => typeof part === "number" && Number.isFinite(part));
const isLineString = (it: unknown, least: number): it is Position[] =>
  Array.isArray(it) && it.length >= least && it.length <= MAX_POINTS && it.every(isPosition);
const isRing = (it: unknown): it is Position[] => isLineString(it, 3);

const SHAPE_CHECKS: Record<Geometry["type"], (it: unknown) => boolean> = {
  Point: isPosition,
  LineString: (it) => isLineString(it, 2),
  Polygon: (it) => Array.isArray(it) && it.length > 0 && it.length <= 100 && it.every(isRing),
};

/** Parses a shape in GeoJSON or well-known text; null if invalid. */
export function parseGeometry(value: unknown): Geometry | null {
  if (typeof value === "string") return parseGeometry(parseWkt(value));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { type, coordinates, srsId } = value as Record<string, unknown>;
  if (
    typeof type !== "string" ||
    !Object.hasOwn(SHAPE_CHECKS, type) ||
    !SHAPE_CHECKS[type as Geometry["type"]](coordinates)
  )
    return null;
  if (srsId !== undefined && srsId !== null && !KNOWN_SRS.has(srsId as number)) return null;
  return {
    type: type as Geometry["type"],
    coordinates: closeRings(type as Geometry["type"], coordinates),
    srsId: (srsId as number) ?? DEFAULT_SRS,
  };
}

/** Closes rings whose last point differs from the first. */
const closeRings = (type: Geometry["type"], coordinates: unknown) =>
  type !== "Polygon"
    ? coordinates
    : (coordinates as Position[][]).map((ring) => {
        const [first, last] = [ring[0]!, ring.at(-1)!];
        return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
      });
