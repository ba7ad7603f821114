/** Access to the first group, by the purpose that the admin chooses in the set-up. */
export const GROUP_TEMPLATES = {
  everyone: { visibility: "public", joinPolicy: "open", headerStyle: "meadow" },
  members: { visibility: "private", joinPolicy: "request", headerStyle: "dusk" },
  team: { visibility: "secret", joinPolicy: "invite", headerStyle: "plum" },
} as const;
export type GroupTemplate = keyof typeof GROUP_TEMPLATES;
