import { D } from "./discussions.mjs";
import { HEADERS, moderation, P, checkPerson } from "./demo-files.mjs";
import { G } from "./groups.mjs";
import { reportError, checkLength, checkNumber, checkOneOf } from "./report.mjs";

for (const p of moderation.pendingPeople) {
  if (P[p.username]) reportError("moderation", `${p.username} is a member already`);
  checkLength("moderation reason", p.reason, 1, 1000);
  checkNumber("moderation", p.ago);
}
for (const g of moderation.pendingGroups) {
  const w = `moderation/${g.slug}`;
  if (G[g.slug]) reportError(w, "the group exists already");
  checkLength(w + " name", g.name, 2, 60);
  checkLength(w + " purpose", g.purpose, 1, 200);
  checkOneOf(w, g.header, HEADERS);
  if (checkPerson(w, g.owner)?.joinedAgo < g.ago) reportError(w, "owner joined after creating the group");
}
for (const p of moderation.pendingPosts) {
  checkPerson("moderation", p.author);
  if (!G[p.group]) reportError("moderation", `no group ${p.group}`);
  checkLength("moderation title", p.title, 1, 120);
}
for (const r of moderation.reports) {
  const w = `moderation/${r.discussion} ${r.post}`;
  const post = D[r.discussion]?.posts.find(({ n }) => n === r.post);
  checkPerson(w, r.by);
  if (!post) reportError(w, "no such post");
  else if (post.author === r.by) reportError(w, "reports their own post");
  else if (post.ago < r.ago) reportError(w, "reported before it was written");
  if (r.resolved) {
    checkPerson(w, r.resolved.by);
    checkOneOf(w, r.resolved.outcome, ["upheld", "rejected"]);
    if (r.resolved.ago > r.ago) reportError(w, "resolved before it was reported");
  }
}
