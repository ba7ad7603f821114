import { HEADERS, groups, checkPerson } from "./demo-files.mjs";
import { reportError, checkLength, checkOneOf, checkUnique, checkNumber } from "./report.mjs";

export const G = Object.fromEntries(groups.map((g) => [g.slug, g]));
checkUnique(
  "groups",
  groups.map((g) => g.slug),
);
export const joined = {};
for (const g of groups) {
  const w = `groups/${g.slug}`;
  checkLength(w + " name", g.name, 2, 60);
  checkLength(w + " purpose", g.purpose, 1, 200);
  checkLength(w + " about", g.about, 1, 3000);
  checkOneOf(w, g.visibility, ["public", "private", "secret"]);
  checkOneOf(w, g.joinPolicy, ["open", "request", "invite"]);
  checkOneOf(w, g.historyPolicy, ["shared", "from_joining"]);
  checkOneOf(w, g.state, ["active", "archived"]);
  checkOneOf(w, g.header, HEADERS);
  if (g.visibility === "secret" && g.joinPolicy !== "invite") reportError(w, "secret must be by invitation");
  if (g.questions.length > 3) reportError(w, "more than three questions");
  checkNumber(w, g.createdAgo);
  if (checkPerson(w, g.owner)?.joinedAgo < g.createdAgo)
    reportError(w, "owner joined the community after creating the group");
  checkUnique(
    w + " members",
    g.members.map((m) => m.who),
  );
  joined[g.slug] = {};
  for (const m of g.members) {
    joined[g.slug][m.who] = m.ago;
    checkNumber(w, m.ago);
    const p = checkPerson(w, m.who);
    if (m.ago > g.createdAgo) reportError(w, `${m.who} joined before the group existed`);
    if (p && m.ago > p.joinedAgo) reportError(w, `${m.who} joined the group before the community`);
  }
  for (const u of [g.owner, ...g.moderators])
    if (!(u in joined[g.slug])) reportError(w, `${u} leads but is not a member`);
  for (const r of g.requests) {
    const p = checkPerson(w, r.who);
    if (r.who in joined[g.slug]) reportError(w, `${r.who} asks but is a member`);
    if (p && r.ago > p.joinedAgo) reportError(w, `${r.who} asked before joining the community`);
    if (r.answers.length !== g.questions.length)
      reportError(w, `${r.who}: answers do not match the questions`);
    if (g.joinPolicy !== "request") reportError(w, "requests in a group that takes none");
  }
}
