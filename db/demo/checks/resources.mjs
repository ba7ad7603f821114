import { LANGS, resources, collections, checkPerson } from "./demo-files.mjs";
import { G, joined } from "./groups.mjs";
import { D, text } from "./discussions.mjs";
import { reportError, checkLength, checkOneOf, checkUnique, checkNumber } from "./report.mjs";

const C = Object.fromEntries(collections.map((c) => [c.key, c]));
checkUnique(
  "resources",
  resources.map((r) => r.key),
);
checkUnique(
  "collections",
  collections.map((c) => c.key),
);
for (const c of collections) {
  checkPerson(`collections/${c.key}`, c.curator);
  checkLength(`collections/${c.key}`, c.title, 2, 60);
  if (c.group !== null && !G[c.group]) reportError(`collections/${c.key}`, "group");
  if (!resources.some((r) => r.collection === c.key)) reportError(`collections/${c.key}`, "empty");
}
for (const r of resources) {
  const w = `resources/${r.key}`;
  checkOneOf(w, r.kind, ["link", "document", "file"]);
  checkLength(w + " why", r.why, 1, 300);
  checkLength(w + " title", r.title, 3, 200);
  checkOneOf(w, r.language, LANGS);
  for (const t of r.tags) checkLength(w + " tag", t, 1, 20);
  if (r.tags.length > 5) reportError(w, "tags");
  if (r.kind === "link" && !r.url?.startsWith("https://example.org/")) reportError(w, "url");
  if (r.kind === "document") {
    checkLength(w + " body", r.body, 500, 250000);
    text.push([w, r.body]);
    const n = r.body.split(/\s+/).length;
    if (n < 300 || n > 1500) reportError(w, `${n} words`);
  }
  if (r.kind === "file" && !(r.file?.name && r.file?.text)) reportError(w, "file");
  const p = checkPerson(w, r.owner);
  checkNumber(w, r.ago);
  if (p && r.ago > p.joinedAgo) reportError(w, "kept before joining");
  if (r.group !== null) {
    if (!G[r.group]) reportError(w, "group");
    else if (!(r.owner in joined[r.group])) reportError(w, "owner is not a member");
    else if (r.ago > joined[r.group][r.owner]) reportError(w, "added before joining the group");
  }
  if (r.collection && !C[r.collection]) reportError(w, "collection");
  for (const u of r.usedIn) {
    const d = D[u.discussion];
    if (!d) reportError(w, `discussion ${u.discussion}`);
    else if (u.post < 1 || u.post > d.last) reportError(w, `post ${u.post} of ${u.discussion}`);
  }
  if (r.collection && C[r.collection]?.group && r.group && r.group !== C[r.collection].group)
    reportError(w, "on the shelf of another group");
  if (
    r.collection &&
    C[r.collection] &&
    C[r.collection].group === null &&
    r.group &&
    G[r.group].visibility === "secret"
  )
    reportError(w, "secret resource on a shelf for all");
}
