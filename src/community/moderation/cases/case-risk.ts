import { sql } from "#platform/database";

/**
 * Reasons for the risk of an open case, as the triggers of the database store them with it. Records of people
 * count only what happened in the group of the case, where its moderators can know of it.
 */
export type RiskFactors = {
  /** Gravest category of the open reports; null for appeals and automatic reports. */
  category: { id: string; name: string } | null;
  /** Members and guests with an open report, without automatic reports. */
  reporters: number;
  /** Watched words found the content. */
  automatic: boolean;
  /** Reporters most of whose earlier reports were upheld. */
  reliable: number;
  /** Reporters most of whose earlier reports were dismissed. */
  unreliable: number;
  /** The account of an author was less than seven days old when the case was opened. */
  newAccount: boolean;
  /** Upheld cases about the authors; 3 stands for three or more. */
  upheld: number;
  /** The content is hidden or removed already. */
  hidden: boolean;
};
export type RiskLevel = "high" | "medium" | "low";
/** Risk of a case: the points that the queue is sorted by, their level, and their reasons. */
export type CaseRisk = RiskFactors & { points: number; level: RiskLevel };

/** Least points of a level. A visible report of illegal content is high, one of harassment medium. */
const LEVEL_POINTS = { high: 70, medium: 40 };

/** Reasons for the risk of the case `c`; the name of the category is empty for the translated default. */
export const riskFactorsColumn = sql`c.risk_factors || jsonb_build_object('category',
  case when c.risk_factors->>'category' is not null then jsonb_build_object('id', c.risk_factors->>'category',
    'name', coalesce((select it->>'name' from settings, jsonb_array_elements(value) it
      where key = 'reportCategories' and it->>'id' = c.risk_factors->>'category'), '')) end)`;

export const toCaseRisk = (points: number, factors: RiskFactors): CaseRisk => ({
  ...factors,
  points,
  level: points >= LEVEL_POINTS.high ? "high" : points >= LEVEL_POINTS.medium ? "medium" : "low",
});
