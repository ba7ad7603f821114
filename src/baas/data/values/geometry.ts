import { isKeyOf, isObject } from "#platform/objects";
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
const isPolygon = (it: unknown): it is Position[][] =>
  Array.isArray(it) && it.length > 0 && it.length <= 100 && it.every(isRing);

const SHAPE_CHECKS: Record<Geometry["type"], (it: unknown) => boolean> = {
  Point: isPosition,
  LineString: (it) => isLineString(it, 2),
  Polygon: isPolygon,
};

/** Parses a shape in GeoJSON or well-known text; null if invalid. */
export function parseGeometry(value: unknown): Geometry | null {
  if (typeof value === "string") return parseGeometry(parseWkt(value));
  if (!isObject(value)) return null;
  const { type, coordinates } = value;
  const srsId = value["srsId"] ?? DEFAULT_SRS;
  if (typeof type !== "string" || !isKeyOf(SHAPE_CHECKS, type) || !SHAPE_CHECKS[type](coordinates))
    return null;
  if (typeof srsId !== "number" || !KNOWN_SRS.has(srsId)) return null;
  return { type, coordinates: closeRings(type, coordinates), srsId };
}

/** Closes rings whose last point differs from the first. */
const closeRings = (type: Geometry["type"], coordinates: unknown) =>
  type === "Polygon" && isPolygon(coordinates)
    ? coordinates.map((ring) => {
        const [first, last] = [ring[0]!, ring.at(-1)!];
        return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
      })
    : coordinates;
