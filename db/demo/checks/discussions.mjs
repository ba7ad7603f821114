import { LANGS, discussions, P, checkPerson } from "./demo-files.mjs";
import { G, joined } from "./groups.mjs";
import { reportError, checkLength, checkOneOf, checkUnique, checkNumber } from "./report.mjs";

export const D = {};
export let posts = 0,
  lastDay = 0,
  mentions = 0,
  reactions = 0,
  longest = [];
export const text = [];
const checkReactions = (w, slug, rs) => {
  for (const [e, who] of Object.entries(rs ?? {})) {
    if (!/\P{ASCII}/u.test(e)) reportError(w, `reaction ${e}`);
    checkUnique(w + " " + e, who);
    for (const u of who) {
      reactions++;
      checkPerson(w, u);
      if (!(u in joined[slug])) reportError(w, `${u} reacts but is not a member`);
    }
  }
};
for (const [slug, list] of Object.entries(discussions)) {
  const g = G[slug];
  if (!g) {
    reportError(`discussions/${slug}`, "no such group");
    continue;
  }
  if (list.filter((d) => d.pinned).length > 3) reportError(slug, "more than three pinned");
  for (const d of list) {
    const w = `discussions/${slug}/${d.key}`;
    if (D[d.key]) reportError(w, "key used twice");
    D[d.key] = { ...d, slug, last: d.posts.length + 1 };
    checkLength(w + " title", d.title, 5, 200);
    checkOneOf(w, d.language, LANGS);
    if (d.tags.length > 5) reportError(w, "more than five tags");
    for (const t of d.tags) checkLength(w + " tag", t, 1, 20);
    if (d.locked !== undefined && typeof d.locked !== "string") reportError(w, "locked needs a reason");
    if (d.ago > g.createdAgo) reportError(w, "older than its group");
    const all = [{ ...d, n: 1 }, ...d.posts];
    all.forEach((p, i) => {
      const pw = `${w}#${p.n}`;
      posts++;
      if (p.ago < 24) lastDay++;
      if (p.n !== i + 1) reportError(pw, "number");
      checkNumber(pw, p.ago);
      if (p.ago < 0.1) reportError(pw, "younger than 0.1 h");
      checkLength(pw, p.body, 1, 32000);
      text.push([pw, p.body]);
      if (i && p.ago >= all[i - 1].ago)
        reportError(pw, `not younger than the post before (${p.ago} ≥ ${all[i - 1].ago})`);
      if (p.replyTo !== undefined && (p.replyTo >= p.n || p.replyTo < 1)) reportError(pw, "replyTo");
      if (p.editedAgo !== undefined && p.editedAgo >= p.ago) reportError(pw, "edited before it was written");
      checkPerson(pw, p.author);
      if (!(p.author in joined[slug])) reportError(pw, `${p.author} is not a member`);
      else if (joined[slug][p.author] < p.ago) reportError(pw, `${p.author} wrote before joining the group`);
      if (i > 2 && [1, 2, 3].every((k) => all[i - k].author === p.author))
        reportError(pw, "four in a row by one person");
      checkReactions(pw, slug, p.reactions);
      const ms = p.body.match(/(?<![\w.@])@[a-z0-9_.-]*[a-z0-9_]/g) ?? [];
      if (ms.length > 10) reportError(pw, "more than ten mentions");
      for (const m of ms) {
        mentions++;
        if (!P[m.slice(1)]) reportError(pw, `mention ${m}`);
        else if (!(m.slice(1) in joined[slug])) reportError(pw, `mentions ${m}, who is not a member`);
      }
      for (const u of p.body.match(/https?:\/\/[^\s)]+/g) ?? [])
        if (!u.startsWith("https://example.org/")) reportError(pw, `link ${u}`);
    });
    longest.push([d.posts.length + 1, d.key]);
  }
}
