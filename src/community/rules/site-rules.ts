import type { Viewer } from "./viewer.ts";

/** Maximum number of rules of the community, retired ones included, and maximum characters of a rule. */
export const SITE_RULE_LIMITS = { count: 50, text: 500 };

/** Permissions of the community's rules that decisions cite. */
export const siteRuleRules = {
  /** Whether the viewer may write, order and retire rules. */
  edit: (viewer: Viewer) => viewer.role === "admin" && !viewer.limited,
};
